import { PageHeader } from '../../ui/page.js';

export default function ExplorePage() {
  return <PageHeader title="Coins" />;
}
