import { PageHeader } from '../../ui/page.js';

export default function ReleasePage() {
  return <PageHeader title="Release" />;
}
