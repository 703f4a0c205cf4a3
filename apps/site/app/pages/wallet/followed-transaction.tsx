import { Button, ButtonLink } from '../../ui/button.js';
import { Card } from '../../ui/page.js';
import { Badge, Notice, type Tone } from '../../ui/status.js';
import { Hex, Moment } from '../../ui/values.js';
import type { Following } from './use-wallet-flow.js';
import type { SentTransaction } from './wallet-flow.js';
import { STAGES, type Stage } from './wallet-progress.js';

const NAMES: Readonly<Record<Stage, string>> = {
  submitted: 'Sent to chain 4663',
  included: 'Included in a block of chain 4663',
  posted: 'Posted to Ethereum',
  finalized: 'Final on Ethereum',
};

/** Follows a transaction from the wallet to its finality. */
export function FollowedTransaction({
  sent,
  following: { progress, receipt, fault, unnamed },
  outcome,
  onRelease,
}: {
  sent: SentTransaction;
  following: Following;
  outcome: 'open' | 'finalized' | 'failed';
  onRelease: () => void;
}) {
  const reached = reachedBy(progress?.stage ?? null, receipt);
  return (
    <Card>
      <h2 className="text-lg font-semibold">Your transaction</h2>
      <p className="mt-1">
        <Hex value={sent.hash} kind="tx" chainId={4663} label="the transaction" />
      </p>
      <ol className="mt-4 grid gap-2" aria-label="Progress to finality">
        {STAGES.map((stage, index) => (
          <li
            key={stage}
            data-stage={stage}
            data-reached={index <= reached}
            className="flex flex-wrap items-center gap-2"
          >
            <Badge tone={toneOf(index - reached)}>{stateOf(index - reached)}</Badge>
            {NAMES[stage]}
          </li>
        ))}
      </ol>
      <div className="mt-4 grid gap-3" aria-live="polite">
        {outcome === 'finalized' && <Notice tone="good" title="The launch is final." />}
        {outcome === 'failed' && (
          <Notice tone="bad" title="The launch ended without success.">
            The page of the launch names the reason and the next step.
          </Notice>
        )}
        {outcome === 'open' && receipt === 'reverted' && (
          <Notice tone="bad" title="Your wallet’s provider shows that the transaction failed on chain.">
            You paid the gas only. The service reports the failure when it is final.
          </Notice>
        )}
        {outcome === 'open' && progress?.nextStageAt != null && (
          <p className="text-sm text-muted">
            The next stage is expected <Moment at={progress.nextStageAt} />.
          </p>
        )}
        {fault !== null && (
          <Notice tone="caution" title="The page could not read the progress.">
            {fault} It tries again by itself.
          </Notice>
        )}
        {unnamed !== null && (
          <p className="text-sm text-muted">
            The service did not take the transaction hash ({unnamed}). It finds the transaction without it.
          </p>
        )}
        {outcome === 'open' && receipt === null && (
          <details className="text-sm">
            <summary className="cursor-pointer">The wallet does not show this transaction any more</summary>
            <p className="mt-2">
              If you cancelled or replaced it in the wallet, review the launch again. The router accepts it once only,
              so a second transaction cannot launch twice.
            </p>
            <div className="mt-2">
              <Button onClick={onRelease}>Review again</Button>
            </div>
          </details>
        )}
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`/launches/${sent.id}`}>Open the launch</ButtonLink>
        </div>
      </div>
    </Card>
  );
}

/** @param ahead stages between the one reached and this one; 0 or less for those that have passed. */
const stateOf = (ahead: number): string => (ahead <= 0 ? 'Done' : ahead === 1 ? 'Now' : 'Ahead');
const toneOf = (ahead: number): Tone => (ahead <= 0 ? 'good' : ahead === 1 ? 'accent' : 'neutral');

/** The wallet's own receipt counts as inclusion before the service has seen it. */
function reachedBy(stage: Stage | null, receipt: Following['receipt']): number {
  const claimed = stage === null ? 0 : STAGES.indexOf(stage);
  return receipt === 'success' ? Math.max(claimed, STAGES.indexOf('included')) : claimed;
}
