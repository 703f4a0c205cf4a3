import { PageHeader } from '../../ui/page.js';

export default function LaunchesPage() {
  return <PageHeader title="My launches" />;
}
