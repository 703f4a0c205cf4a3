import { PageHeader } from '../../ui/page.js';

export default function LaunchPage() {
  return <PageHeader title="Launch" />;
}
