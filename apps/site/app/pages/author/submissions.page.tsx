import { PageHeader } from '../../ui/page.js';

export default function SubmissionsPage() {
  return <PageHeader title="My modules" />;
}
