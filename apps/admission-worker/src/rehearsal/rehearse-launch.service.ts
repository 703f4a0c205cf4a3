import { readPinnedContracts, rehearseTransactions, simulatedBlock, type ObserverPair } from '@launch/chain';
import { compareExecutions, type SecondExecutor } from '@launch/chain/second-opinion';
import { finding } from '@launch/contracts/errors';
import type { LaunchRef, RehearsalVerdict } from '@launch/contracts/orchestration';
import { LIMITS, type Hex } from '@launch/contracts/primitives';
import { AdmissionError } from '../admission.error.js';
import type { JudgedLaunch } from '../families/judged-launch.js';
import type { RouterStorageReader } from './router-storage.reader.js';

const REHEARSED = 'The launch reverts when it is simulated before a permit is signed.';
const UNKNOWN_ROUTER = 'the router’s program is not one whose storage this service knows';

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'reverted'; readonly data: `0x${string}` }
  | { readonly kind: 'window-passed' }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'indeterminate'; readonly reason: string };

export interface RehearsalService {
  /**
   * @throws AdmissionError `PROVIDERS_UNDECIDED` while the executors make no statement on a reserved launch with more
   * than 60 s of its window left. A preflight returns `indeterminate` at once.
   */
  rehearse(launch: JudgedLaunch, ref: LaunchRef, economicsHash: Hex): Promise<RehearsalVerdict>;
}

/**
 * Simulates a launch before it is signed. The calldata is its own, with an invented signature; in the overridden state
 * that signature is valid and the controller has the value. All calls of a plan are executed in order, in one block.
 * Providers and second executor run in parallel. A revert counts only under the conditions of the exact simulation: the
 * pinned programs are deployed, the block is in the window, all executors agree. The executed transaction is not
 * stored.
 */
export function createRehearsalService(deps: {
  readonly l2: ObserverPair;
  readonly secondExecutor: SecondExecutor;
  readonly storageOf: RouterStorageReader;
  readonly now: () => Date;
}): RehearsalService {
  const { l2, secondExecutor, storageOf, now } = deps;

  const execute = async (launch: JudgedLaunch, ref: LaunchRef, economicsHash: Hex): Promise<Outcome> => {
    const { request } = launch;
    const { validAfter, deadline } = request.permitWindow;
    const [at, router] = await Promise.all([
      simulatedBlock(l2, { validAfter: BigInt(validAfter), deadline: BigInt(deadline) }),
      storageOf(request.context.chainDeployment.router),
    ]);
    if (at.kind !== 'block') return at;
    if (router.kind === 'indeterminate') return router;
    if (router.kind === 'unknown') return { kind: 'unsupported', reason: UNKNOWN_ROUTER };
    const { transactions, overrides } = launch.rehearsal(economicsHash, ref.requestHash, router.storage);
    const [outcome, executed, against] = await Promise.all([
      rehearseTransactions(l2, transactions, at, overrides),
      secondExecutor(transactions, at, overrides),
      readPinnedContracts(l2, request.context),
    ]);
    if (outcome.kind === 'indeterminate') return outcome;
    if (against.length > 0)
      return { kind: 'indeterminate', reason: `the chain is not the context's: ${against.join(', ')}` };
    const second = compareExecutions(outcome.executions, executed);
    if (second.kind === 'indeterminate') return second;
    const last = outcome.executions.at(-1);
    return last?.kind === 'reverted' ? { kind: 'reverted', data: last.data } : { kind: 'passed' };
  };

  return {
    async rehearse(launch, ref, economicsHash) {
      const { request } = launch;
      const outcome = await execute(launch, ref, economicsHash);
      switch (outcome.kind) {
        case 'passed':
        case 'window-passed':
          return { kind: outcome.kind };
        case 'reverted':
          return { kind: 'reverted', findings: [launch.reverted(outcome.data, REHEARSED)] };
        case 'unsupported':
          return undecided(outcome.reason);
        case 'indeterminate': {
          const left = BigInt(request.permitWindow.deadline) - BigInt(Math.floor(now().getTime() / 1000));
          if (left <= 0n) return { kind: 'window-passed' };
          // Custody signs nothing with less than this left, so a retry could not help.
          if (ref.launchId === null || left <= BigInt(LIMITS.deadlineLeadSeconds)) return undecided(outcome.reason);
          throw new AdmissionError('PROVIDERS_UNDECIDED', outcome.reason);
        }
      }
    },
  };
}

const undecided = (reason: string): RehearsalVerdict => ({
  kind: 'indeterminate',
  findings: [
    finding('SIMULATION_INDETERMINATE', '', {
      expected: 'both providers and a second executor that agree on what the launch does',
      actual: reason,
      detail:
        'Nothing is known to be wrong with the request: submit it as a new request with a new window and key. If it happens again, ask the operator.',
    }),
  ],
});
