import { Button } from '../ui/button.js';
import { Loading, Notice } from '../ui/status.js';
import { useSession } from './session.js';
import type { WalletChoice } from './wallet-choice.js';

/** Lists the wallets of the browser and connects the chosen one. */
export function ConnectWallet() {
  const { wallets, state, connectWallet } = useSession();
  if (wallets === null) return <Loading label="Looking for wallets in this browser" />;
  if (wallets.length === 0)
    return (
      <Notice tone="caution" title="This browser has no wallet.">
        Install a wallet as an extension of the browser, or open this page in the browser of your wallet, then reload.
      </Notice>
    );
  return (
    <ul className="grid gap-2" aria-label="Wallets in this browser">
      {wallets.map((wallet) => (
        <li key={wallet.uid}>
          <Button isBusy={state === 'connecting'} onClick={() => void connectWallet(wallet.uid)}>
            <span>
              Connect <bdi>{wallet.name}</bdi>
            </span>
            <bdi className="text-xs font-normal text-muted">{placeOf(wallet)}</bdi>
          </Button>
        </li>
      ))}
    </ul>
  );
}

const placeOf = ({ origin, position }: WalletChoice): string =>
  position === null ? origin : `${origin}, number ${position} in this browser`;
