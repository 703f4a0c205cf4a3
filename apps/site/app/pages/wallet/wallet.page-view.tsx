import type { ChainCheck } from '@launch/handoff';
import { useEffect, useState } from 'react';
import { ConnectWallet } from '../../session/connect-wallet.js';
import { RequireSession } from '../../session/require-session.js';
import { useSession } from '../../session/session.js';
import type { LaunchClients } from '../../session/session-clients.js';
import { walletFailure } from '../../session/wallet-failure.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Card, PageHeader } from '../../ui/page.js';
import { Empty, Loading, Notice } from '../../ui/status.js';
import { FollowedTransaction } from './followed-transaction.js';
import { PlanSteps } from './plan-steps.js';
import { ReviewChecks, ReviewFacts } from './review-facts.js';
import { useWalletFlow } from './use-wallet-flow.js';
import { showsReview, type Idle, type Obstacle } from './wallet-flow.js';
import { switchToChain, type WalletProvider } from './wallet-provider.js';
import type { Target } from './wallet-source.js';

/** The page where a controller reviews and signs a hand-off. */
export function WalletPage({ target }: { target: Target }) {
  return (
    <>
      <PageHeader title="Review and sign" parent={[`/launches/${target.id}`, 'Launch']}>
        Your browser recomputes the transaction from your request and asks your own wallet about the chain. You can sign
        only what the page could prove.
      </PageHeader>
      <RequireSession purpose="launches">
        {(clients) => <WalletReview clients={clients} target={target} />}
      </RequireSession>
    </>
  );
}

function WalletReview({ clients, target }: { clients: LaunchClients; target: Target }) {
  const { flow, shown, send, restart, release } = useWalletFlow(clients, target);
  const { review, inspection, resource } = shown;
  return (
    <div data-flow={flow.is} className="grid gap-6">
      {flow.is === 'reading' && (
        <Loading label="Recomputing the transaction and reading the chain through your wallet" />
      )}
      {flow.is === 'unread' && (
        <Notice tone="bad" title="There is nothing to review.">
          <p>{flow.message}</p>
          <Again onClick={restart} />
        </Notice>
      )}
      {flow.is === 'idle' && <IdleNotice why={flow.why} target={target} onAgain={restart} />}
      {flow.is === 'refused' && <Refusal obstacles={flow.obstacles} onAgain={restart} />}
      {flow.is === 'obstructed' && <Obstruction obstacles={flow.obstacles} onAgain={restart} />}
      {showsReview(flow) && review !== null && (
        <>
          {flow.is === 'ready' && flow.notice !== null && <Notice tone="caution" title={flow.notice} />}
          <ReviewFacts review={review} />
          {flow.is !== 'obstructed' && (
            <SendPanel
              isBatch={review.offer?.transaction.isBatch ?? false}
              unproven={inspection?.checks.find(({ verdict }) => verdict === 'unknown') ?? null}
              state={flow.is === 'ready' ? 'ready' : flow.is === 'asking' ? 'asking' : 'rechecking'}
              onSend={() => void send()}
            />
          )}
        </>
      )}
      {flow.is === 'following' && (
        <FollowedTransaction sent={flow.sent} following={shown.following} outcome="open" onRelease={release} />
      )}
      {flow.is === 'done' && flow.sent !== null && (
        <FollowedTransaction sent={flow.sent} following={shown.following} outcome={flow.outcome} onRelease={release} />
      )}
      {resource?.family === 'plan' && <PlanSteps plan={resource.plan} />}
      {review !== null && flow.is !== 'following' && flow.is !== 'done' && (
        <ReviewChecks checks={review.checks} chainChecks={inspection?.checks ?? []} />
      )}
    </div>
  );
}

function SendPanel({
  state,
  isBatch,
  unproven,
  onSend,
}: {
  state: 'ready' | 'rechecking' | 'asking';
  isBatch: boolean;
  /** The condition that the wallet's provider cannot answer. */
  unproven: ChainCheck | null;
  onSend: () => void;
}) {
  return (
    <Card>
      <Notice
        tone="good"
        title={`Every value agrees with your request${unproven === null ? ', and the transaction succeeds in a simulation' : ''}.`}
      >
        {isBatch
          ? 'Your wallet shows the same calls and the same total. If it shows other values, decline.'
          : 'Your wallet shows the same amount and the same contract. If it shows other values, decline.'}
      </Notice>
      {unproven !== null && (
        <div className="mt-3">
          <Notice tone="caution" title={unproven.sentence}>
            {unproven.remedy}
          </Notice>
        </div>
      )}
      <div className="mt-4">
        <Button look="primary" isBusy={state !== 'ready'} onClick={onSend}>
          {state === 'ready'
            ? isBatch
              ? 'Sign and send all calls in the wallet'
              : 'Sign and send in the wallet'
            : state === 'rechecking'
              ? 'Checking chain, account, nonce and time again'
              : 'Answer the request in your wallet'}
        </Button>
      </div>
    </Card>
  );
}

const Again = ({ onClick }: { onClick: () => void }) => (
  <div className="mt-3">
    <Button onClick={onClick}>Check again</Button>
  </div>
);

/** The page names both values of each difference, because the controller decides by them. */
function Refusal({ obstacles, onAgain }: { obstacles: readonly Obstacle[]; onAgain: () => void }) {
  return (
    <Notice tone="bad" title="Do not sign. The page cannot prove that this transaction is what you requested.">
      <p>Signing is blocked. Your wallet was not asked for anything.</p>
      <ObstacleList obstacles={obstacles} />
      <Again onClick={onAgain} />
    </Notice>
  );
}

function Obstruction({ obstacles, onAgain }: { obstacles: readonly Obstacle[]; onAgain: () => void }) {
  const ids = new Set(obstacles.map(({ id }) => id));
  return (
    <Notice tone="caution" title="You cannot send this transaction now.">
      <ObstacleList obstacles={obstacles} />
      {ids.has('chain') && <SwitchChain onSwitched={onAgain} />}
      {ids.has('no-wallet') && (
        <div className="mt-3">
          <ConnectWallet />
        </div>
      )}
      <Again onClick={onAgain} />
    </Notice>
  );
}

const ObstacleList = ({ obstacles }: { obstacles: readonly Obstacle[] }) => (
  <ul className="mt-3 grid gap-4">
    {obstacles.map(({ id, title, remedy, claimed, computed }) => (
      <li key={id} data-obstacle={id}>
        <p className="font-semibold">{title}</p>
        {(claimed !== null || computed !== null) && (
          <dl className="mt-1 grid gap-x-4 sm:grid-cols-[auto_1fr]">
            <dt className="text-muted">Found</dt>
            <dd className="min-w-0 break-all">
              <code>
                <bdi>{claimed ?? 'nothing'}</bdi>
              </code>
            </dd>
            <dt className="text-muted">Expected</dt>
            <dd className="min-w-0 break-all">
              <code>
                <bdi>{computed ?? 'cannot be computed'}</bdi>
              </code>
            </dd>
          </dl>
        )}
        <p className="mt-1">{remedy}</p>
      </li>
    ))}
  </ul>
);

function SwitchChain({ onSwitched }: { onSwitched: () => void }) {
  const { account } = useSession();
  const [failure, setFailure] = useState<string | null>(null);
  if (account === null) return null;
  const ask = async (): Promise<void> => {
    setFailure(null);
    try {
      await switchToChain((await account.provider()) as unknown as WalletProvider);
      onSwitched();
    } catch (error) {
      setFailure(walletFailure(error).message);
    }
  };
  return (
    <div className="mt-3 grid gap-2">
      <div>
        <Button look="primary" onClick={() => void ask()}>
          Switch the wallet to chain 4663
        </Button>
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
    </div>
  );
}

const IDLE: Readonly<Record<Idle, { readonly title: string; readonly text: string }>> = {
  'not-ready': {
    title: 'There is nothing to sign yet.',
    text: 'The service still checks the request, or waits for an earlier step. The page reads again by itself.',
  },
  'sent-elsewhere': {
    title: 'This transaction was sent already.',
    text: 'Another tab, device or program sent it. Follow it on the page of the launch.',
  },
  ended: {
    title: 'This launch has ended without a transaction to sign.',
    text: 'Its permit expired, or the service found an error. The page of the launch names the reason and the next step.',
  },
  finalized: { title: 'This launch is final.', text: 'Ethereum has finalized it. There is nothing left to sign.' },
};
const IDLE_AGAIN_MS = 5_000;

function IdleNotice({ why, target, onAgain }: { why: Idle; target: Target; onAgain: () => void }) {
  useEffect(() => {
    if (why !== 'not-ready') return;
    const timer = setTimeout(onAgain, IDLE_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [why, onAgain]);
  const { title, text } = IDLE[why];
  return (
    <Empty title={title}>
      <p>{text}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {target.kind === 'launch' && <ButtonLink to={`/launches/${target.id}`}>Open the launch</ButtonLink>}
        <Button onClick={onAgain}>Check again</Button>
      </div>
    </Empty>
  );
}
