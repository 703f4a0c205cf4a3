import { PageHeader } from '../../ui/page.js';

export default function ErrorsPage() {
  return <PageHeader title="Errors" />;
}
