import { PageHeader } from '../../ui/page.js';

export default function ApiPage() {
  return <PageHeader title="API" />;
}
