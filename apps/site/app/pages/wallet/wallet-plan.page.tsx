import { useParams, type MetaFunction } from 'react-router';
import { WalletPage } from './wallet.page-view.js';

export const meta: MetaFunction = () => [{ title: 'Review and sign a plan · Custom Launch' }];

export default function WalletPlanPage() {
  const { planId = '' } = useParams();
  return <WalletPage key={planId} target={{ kind: 'plan', id: planId }} />;
}
