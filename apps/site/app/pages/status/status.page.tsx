import { PageHeader } from '../../ui/page.js';

export default function StatusPage() {
  return <PageHeader title="Status" />;
}
