import { PageHeader } from '../../ui/page.js';

export default function DownloadsPage() {
  return <PageHeader title="Downloads" />;
}
