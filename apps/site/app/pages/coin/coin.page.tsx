import { PageHeader } from '../../ui/page.js';

export default function CoinPage() {
  return <PageHeader title="Coin" />;
}
