import { anyEntry, isAnyCode, isReasonCode, REASON_CATALOGUE } from '@launch/contracts/errors';
import type { LaunchFacts, LaunchKind } from './launch-facts.js';

/** The next step of an owner: a page, a command, or nothing but waiting. */
export interface NextStep {
  readonly sentence: string;
  readonly action:
    | { readonly is: 'page'; readonly to: string; readonly label: string }
    | { readonly is: 'command'; readonly command: string }
    | null;
}

/** Returns the next step of the owner. */
export function nextStepOf(facts: LaunchFacts, nowMs: number): NextStep {
  if (facts.end === 'finalized') return { sentence: 'The launch is final. You have nothing left to do.', action: null };
  if (facts.end === 'stopped') return afterEnd(facts);
  if (facts.waitsFor === 'wallet') return inWallet(facts, nowMs);
  if (facts.waitsFor === 'chain')
    return {
      sentence:
        facts.next === 'included'
          ? 'Wait. Send no second transaction: the first one can still be included.'
          : 'Wait. You can close this page; the launch goes on without it.',
      action: null,
    };
  return {
    sentence:
      facts.next === 'sent'
        ? 'Wait: the permit is signed, and the service prepares the transaction for your wallet.'
        : 'Wait: the service checks the request. Your wallet is asked when it is done.',
    action: null,
  };
}

function inWallet(facts: LaunchFacts, nowMs: number): NextStep {
  if (Date.parse(facts.expiresAt) <= nowMs)
    return {
      sentence: 'The permit window has ended. Sign nothing for this launch: the router would refuse it.',
      action: null,
    };
  const to = facts.kind === 'plan' ? `/wallet/plans/${facts.id}` : `/wallet/launches/${facts.id}`;
  const left = facts.steps === null ? '' : ` It is transaction ${facts.steps.included + 1} of ${facts.steps.total}.`;
  return {
    sentence: `Review the transaction and sign it in your wallet before the window ends.${left}`,
    action: { is: 'page', to, label: 'Review and sign' },
  };
}

const PACK_AGAIN: Readonly<Record<LaunchKind, string>> = {
  launch: 'launch pack --config launch.json --output corrected.json',
  plan: 'launch pack --config launch.json --plan sequential --output corrected.json',
  'multi-role': 'node client.mjs preflight --request corrected.json',
};

function afterEnd(facts: LaunchFacts): NextStep {
  const { kind, findings, failure, status } = facts;
  if (status === 'superseded')
    return { sentence: 'Another plan of yours replaces this one. Follow that one in your list.', action: null };
  const sentence =
    findings.length > 0
      ? 'Correct the findings in your config, pack it to a new file and submit that file as a new launch.'
      : failure !== null
        ? `${failure.recovery.detail} Send nothing for this launch.`
        : 'Pack the launch again with a new permit window and submit it as a new launch. Send nothing for this one.';
  const predecessor = kind === 'plan' && facts.predecessor !== null ? ` --predecessor ${facts.predecessor}` : '';
  return { sentence, action: { is: 'command', command: `${PACK_AGAIN[kind]}${predecessor}` } };
}

/** Explains a code of a launch that waits, or of a failure; an unknown code is shown as it is. */
export function reasonOf(code: string): { readonly message: string; readonly remedy: string | null } {
  if (isReasonCode(code)) {
    const [, message, remedy] = REASON_CATALOGUE[code];
    return { message, remedy };
  }
  return { message: isAnyCode(code) ? anyEntry(code).message : `The service gives the reason ${code}.`, remedy: null };
}
