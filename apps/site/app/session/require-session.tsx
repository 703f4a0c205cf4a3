import type { ReactNode } from 'react';
import { Button } from '../ui/button.js';
import { Card } from '../ui/page.js';
import { Notice } from '../ui/status.js';
import { Hex } from '../ui/values.js';
import { ConnectWallet } from './connect-wallet.js';
import { useSession } from './session.js';
import type { ClientsOf } from './session-clients.js';
import type { Purpose } from './sign-in.js';

const SUBJECTS: Readonly<Record<Purpose, string>> = {
  launches: 'your launches',
  modules: 'your modules',
};

/** Shows its content to a visitor who has signed in for a purpose, and otherwise the next step to get there. */
export function RequireSession<For extends Purpose>({
  purpose,
  children,
}: {
  purpose: For;
  children: (clients: ClientsOf<For>) => ReactNode;
}) {
  const session = useSession();
  const clients = session.clients[purpose];
  if (clients !== null)
    return (
      <>
        <SessionBar />
        {children(clients as ClientsOf<For>)}
      </>
    );
  return (
    <Card className="max-w-2xl">
      <h2 className="text-lg font-semibold">Sign in with your wallet</h2>
      <p className="mt-1 text-sm text-muted">
        The service shows {SUBJECTS[purpose]} to their owner only. You sign one message, which sends no transaction and
        costs nothing. The access lives in this tab: a reload asks again.
      </p>
      <div className="mt-4 grid gap-4">
        {session.failure !== null && <Notice tone="bad" title={session.failure} />}
        {session.account === null ? (
          <ConnectWallet />
        ) : (
          <>
            <p className="text-sm">
              <bdi>{session.account.walletName}</bdi> has selected{' '}
              <Hex value={session.account.address} label="your account" />.
            </p>
            <div className="flex flex-wrap gap-2">
              <Button
                look="primary"
                isBusy={session.state === 'signing-in'}
                onClick={() => void session.signIn(purpose)}
              >
                {session.state === 'signing-in' ? 'Answer the request in your wallet' : 'Sign in'}
              </Button>
              <Button onClick={() => session.signOut()}>Use another wallet</Button>
            </div>
          </>
        )}
      </div>
      <noscript>
        <p className="mt-4 text-sm">This page needs JavaScript, because your wallet answers in the browser.</p>
      </noscript>
    </Card>
  );
}

/** Names the signed-in account, and signs out. */
function SessionBar() {
  const { owner, signOut } = useSession();
  if (owner === null) return null;
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pb-2 text-sm text-muted">
      <span className="inline-flex flex-wrap items-center gap-1.5">
        Signed in as <Hex value={owner} label="the signed-in account" />
      </span>
      <button
        type="button"
        onClick={() => signOut()}
        className="min-h-6 rounded px-1 font-medium text-accent underline-offset-4 hover:underline"
      >
        Sign out
      </button>
    </div>
  );
}
