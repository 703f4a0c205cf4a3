import { PageHeader } from '../../ui/page.js';

export default function ChangelogPage() {
  return <PageHeader title="Changelog" />;
}
