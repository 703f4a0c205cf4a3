import { PageHeader } from '../../ui/page.js';

export default function GuidePage() {
  return <PageHeader title="Guide" />;
}
