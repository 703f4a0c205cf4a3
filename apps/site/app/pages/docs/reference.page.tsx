import { PageHeader } from '../../ui/page.js';

export default function ReferencePage() {
  return <PageHeader title="Reference" />;
}
