import { PageHeader } from '../../ui/page.js';

export default function DocsHomePage() {
  return <PageHeader title="Developers" />;
}
