import { PageHeader } from '../../ui/page.js';

export default function WalletPlanPage() {
  return <PageHeader title="Review and sign" />;
}
