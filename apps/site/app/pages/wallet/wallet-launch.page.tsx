import { useParams, type MetaFunction } from 'react-router';
import { WalletPage } from './wallet.page-view.js';

export const meta: MetaFunction = () => [{ title: 'Review and sign a launch · Custom Launch' }];

export default function WalletLaunchPage() {
  const { launchId = '' } = useParams();
  return <WalletPage key={launchId} target={{ kind: 'launch', id: launchId }} />;
}
