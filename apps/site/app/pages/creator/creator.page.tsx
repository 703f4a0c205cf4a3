import { PageHeader } from '../../ui/page.js';

export default function CreatorPage() {
  return <PageHeader title="Creator" />;
}
