import { PageHeader } from '../../ui/page.js';

export default function WalletLaunchPage() {
  return <PageHeader title="Review and sign" />;
}
