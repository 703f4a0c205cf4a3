import { describe, expect, it } from '@jest/globals';
import { customLaunchFinalitySchema, type CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { finding } from '@launch/contracts/errors';
import { finalityStatusSchema, type FinalityStatus } from '@launch/contracts/multi-role';
import {
  toObservedFinality,
  type ObservationMemory,
  type ObservedStage,
  type ObserveLaunchInput,
  type ObservePollInput,
  type ObservePollResult,
  type SignedPoll,
} from '@launch/contracts/orchestration';
import { AT, digest, EVIDENCE, UNVERIFIED, word } from '../fixtures/observed.fixture.js';
import { OBSERVATION_RATE_MS } from './finality-projection.js';
import { HintQueue } from './hint-queue.js';
import { observeLaunchLogic, type ObserveOutcome } from './observe-launch.logic.js';

const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
const INPUT: ObserveLaunchInput = {
  launchId: LAUNCH_ID,
  requestSha256: digest('1'),
  requestHash: word('2'),
  handoffSha256: digest('3'),
  controller: `0x${'4'.repeat(40)}`,
  hints: [],
};
const { inclusion, posting, checkpoint } = EVIDENCE;

/** The result of a poll with the evidence of its stage. */
function seen(stage: ObservedStage, more: Partial<ObservePollResult> = {}): ObservePollResult {
  const reached = ['pending', 'submitted', 'included', 'posted', 'finalized'].indexOf(stage);
  const memory: ObservationMemory = {
    stage,
    transactionHash: reached > 0 ? word('7') : null,
    inclusion: reached > 1 ? inclusion : null,
    posting: reached > 2 ? posting : null,
    checkpoint: reached > 3 ? checkpoint : null,
    stageSince: AT,
    polls: 1,
  };
  return {
    memory,
    observation: { status: 'agreed', reason: null, at: AT },
    estimatedNextStageAt: null,
    basis: null,
    nextPollMs: 5,
    findings: [],
    signed: UNVERIFIED,
    evidenceSha256: stage === 'finalized' ? digest('e') : null,
    ...more,
  };
}

async function run(
  script: readonly ObservePollResult[],
  options: {
    input?: ObserveLaunchInput;
    hints?: HintQueue;
    longAfter?: number;
    onPause?: (hints: HintQueue) => void;
  } = {},
) {
  const calls: string[] = [];
  const polls: ObservePollInput[] = [];
  const stages: string[] = [];
  const written: FinalityStatus[] = [];
  const writtenCustomLaunch: CustomLaunchFinality[] = [];
  const hints = options.hints ?? new HintQueue(options.input?.hints ?? []);
  const said = (name: string): Promise<void> => Promise.resolve(void calls.push(name));
  const family = options.input?.family;
  const endNote = ({ memory, evidenceSha256 }: SignedPoll): string =>
    family === undefined ? '' : ` at ${memory.polls} by ${evidenceSha256?.slice(7, 9)}`;
  const write = (name: string, observed: SignedPoll): Promise<void> => {
    const finality = toObservedFinality(family, LAUNCH_ID, observed);
    if (finality.schemaVersion === 'service.custom-launch-finality.v4') {
      writtenCustomLaunch.push(customLaunchFinalitySchema.parse(finality));
      return said(`${name} ${finality.stage} at ${observed.memory.polls}`);
    }
    written.push(finalityStatusSchema.parse(finality));
    return said(`${name} ${finality.state}`);
  };
  const outcome: ObserveOutcome = await observeLaunchLogic(
    {
      finality: {
        observe: (input) => {
          const result = script[polls.length];
          polls.push(input);
          if (result === undefined) throw new Error('asked more often than scripted');
          return Promise.resolve(result);
        },
        buildFinalizedRecord: (input) =>
          said(`build ${input.observed.observation.at}`).then(() => ({
            recordSha256: digest('f'),
            signed: UNVERIFIED,
          })),
      },
      gateway: {
        recordAwaitingSignature: () => said('awaiting'),
        recordSubmitted: ({ observed }) => said(`submitted ${observed.memory.transactionHash?.slice(0, 4)}`),
        recordWalletState: ({ observed }) => said(`wallet ${observed.wallet?.reason} at ${observed.memory.polls}`),
        recordFinality: ({ observed }) => write('finality', observed),
        recordFinalized: ({ observed, recordSha256 }) =>
          write(`finalized ${recordSha256.slice(7, 9)} ${observed.evidenceSha256?.slice(7, 9)}`, observed),
        recordFailed: (input) =>
          'observed' in input
            ? said(`failed ${input.observed.findings.map(({ code }) => code).join()}${endNote(input.observed)}`)
            : said('failed by admission'),
        recordExpired: (input) =>
          'observed' in input ? said(`expired${endNote(input.observed)}`) : said('expired by admission'),
      },
      hints,
      pause: async () => options.onPause?.(hints),
      takeRecheck: () => false,
      isHistoryLong: (count) => count >= (options.longAfter ?? 100),
    },
    options.input ?? INPUT,
    (stage) => stages.push(stage),
  );
  return { outcome, calls, polls, stages, written, writtenCustomLaunch };
}

describe('The observation of a launch', () => {
  it('takes a launch from the hand-off to its record', async () => {
    const { outcome, calls, stages, polls } = await run([
      seen('pending'),
      seen('submitted'),
      seen('included'),
      seen('posted'),
      seen('finalized'),
    ]);
    expect(outcome).toEqual({ kind: 'finalized' });
    expect(calls).toEqual([
      'awaiting',
      'finality pending',
      'submitted 0x77',
      'finality pending',
      'finality included',
      'finality included',
      `build ${AT}`,
      'finalized ff ee ethereum_finalized',
    ]);
    expect(stages).toEqual(['pending', 'submitted', 'included', 'posted', 'finalized']);
    expect(polls.map(({ before }) => before?.memory.stage ?? null)).toEqual([
      null,
      'pending',
      'submitted',
      'included',
      'posted',
    ]);
  });

  it('records the submission of a launch that is first seen finalized before its record', async () => {
    const { calls } = await run([seen('finalized')]);
    expect(calls).toEqual(['awaiting', 'submitted 0x77', `build ${AT}`, 'finalized ff ee ethereum_finalized']);
  });

  it('writes a stage that moves back', async () => {
    const { written } = await run([seen('posted'), seen('submitted'), seen('included'), seen('finalized')]);
    expect(written.map(({ state, posting: evidence }) => [state, evidence !== null])).toEqual([
      ['included', true],
      ['pending', false],
      ['included', false],
      ['ethereum_finalized', true],
    ]);
  });

  it('ends a finalized revert as failed without a claim of inclusion', async () => {
    const reverted = seen('reverted_finalized', {
      memory: {
        ...seen('finalized').memory,
        stage: 'reverted_finalized',
        inclusion: { ...inclusion, receiptStatus: 'reverted' },
      },
      findings: [finding('LAUNCH_REVERTED', '')],
    });
    const { outcome, calls, written } = await run([reverted]);
    expect(outcome).toEqual({ kind: 'failed' });
    expect(calls).toEqual(['awaiting', 'submitted 0x77', 'finality pending', 'failed LAUNCH_REVERTED']);
    expect(written[0]).toMatchObject({ inclusion: null, posting: null, checkpoint: null, finalizedAt: null });
  });

  it('ends an unused permit as expired', async () => {
    const { outcome, calls } = await run([seen('pending'), seen('expired')]);
    expect(outcome).toEqual({ kind: 'expired' });
    expect(calls.slice(-2)).toEqual(['finality pending', 'expired']);
  });

  it('writes repeated observations at a bounded rate, and shows missing agreement', async () => {
    const undecided = (afterMs: number): ObservePollResult =>
      seen('included', {
        observation: {
          status: 'indeterminate',
          reason: 'receipt: no answer',
          at: new Date(Date.parse(AT) + afterMs).toISOString(),
        },
      });
    const { written } = await run([
      seen('included'),
      undecided(1_000),
      undecided(2_000),
      undecided(OBSERVATION_RATE_MS),
      undecided(OBSERVATION_RATE_MS + 1_000),
      seen('finalized'),
    ]);
    expect(written.map(({ observation }) => observation?.status)).toEqual(['agreed', 'indeterminate', 'agreed']);
    expect(written[1]).toMatchObject({ state: 'included', observation: { reason: 'receipt: no answer' } });
  });

  it('passes hints on, including those during a wait, and only new ones wake the observer', async () => {
    const hints = new HintQueue([word('a')]);
    expect(hints.hasNews()).toBe(false);
    const { polls } = await run([seen('pending'), seen('pending'), seen('finalized')], {
      hints,
      onPause: (queue) => {
        queue.add(word('b'));
        queue.add(word('a'));
        queue.add('not a hash');
        queue.add(7);
      },
    });
    expect(polls.map((poll) => poll.hints)).toEqual([[word('a')], [word('a'), word('b')], [word('a'), word('b')]]);
    for (let index = 0; index < 40; index++) hints.add(`0x${index.toString(16).padStart(64, '0')}`);
    expect(hints.take()).toHaveLength(20);
  });

  it('continues in a new run with the known state and does not start over', async () => {
    const first = await run([seen('pending'), seen('included')], { longAfter: 2 });
    expect(first.outcome).toMatchObject({
      kind: 'continue',
      input: { launchId: LAUNCH_ID, resume: { memory: { stage: 'included' } } },
    });
    if (first.outcome.kind !== 'continue') throw new Error('unreachable');
    const second = await run([seen('included'), seen('finalized')], { input: first.outcome.input });
    expect(second.calls).toEqual(['finality included', `build ${AT}`, 'finalized ff ee ethereum_finalized']);
    expect(second.polls[0]?.before?.memory.stage).toBe('included');
  });

  it('does not publish a finalized launch without evidence', async () => {
    await expect(run([seen('finalized', { evidenceSha256: null })])).rejects.toThrow(/evidence/);
  });
});

describe('The observation of a custom launch', () => {
  const input: ObserveLaunchInput = { ...INPUT, family: 'custom-launch.v4' };
  const look = (stage: ObservedStage, polls: number, more: Partial<ObservePollResult> = {}): ObservePollResult => {
    const result = seen(stage, more);
    return { ...result, memory: { ...result.memory, polls } };
  };

  it('numbers each write by its observation, and reports a blocked wallet once per change', async () => {
    const blocked = { wallet: { reason: 'CONTROLLER_FUNDS_MISSING' as const } };
    const { calls, polls } = await run(
      [
        look('pending', 1, blocked),
        look('pending', 2, blocked),
        look('pending', 3),
        look('pending', 4, { wallet: { reason: null } }),
        look('submitted', 5),
        look('included', 6),
        look('posted', 7),
        look('included', 8),
        look('finalized', 9),
      ],
      { input },
    );
    expect(calls).toEqual([
      'awaiting',
      'wallet CONTROLLER_FUNDS_MISSING at 1',
      'finality pending at 1',
      'wallet null at 4',
      'submitted 0x77',
      'finality pending at 5',
      'finality included at 6',
      'finality posted at 7',
      'finality included at 8',
      `build ${AT}`,
      'finalized ff ee ethereum_finalized at 9',
    ]);
    expect(polls.every(({ family }) => family === 'custom-launch.v4')).toBe(true);
  });

  it('shows its transaction, and only evidence that its stage claims', async () => {
    const receipt = { ...inclusion, receiptStatus: 'reverted' as const };
    const reverted = (stage: ObservedStage, polls: number): ObservePollResult => {
      const result = look(stage, polls, { findings: [finding('LAUNCH_REVERTED', '')], evidenceSha256: digest('e') });
      return { ...result, memory: { ...result.memory, transactionHash: word('7'), inclusion: receipt } };
    };
    const { calls, writtenCustomLaunch } = await run(
      [look('pending', 1), look('submitted', 2), look('posted', 3), reverted('reverted_finalized', 4)],
      { input },
    );
    expect(calls.slice(-2)).toEqual(['finality pending at 4', 'failed LAUNCH_REVERTED at 4 by ee']);
    expect(
      writtenCustomLaunch.map(({ stage, transactions, l2Inclusion, l1Posting }) => [
        stage,
        transactions[0]?.status,
        l2Inclusion !== null,
        l1Posting !== null,
      ]),
    ).toEqual([
      ['pending', undefined, false, false],
      ['pending', 'seen', false, false],
      ['posted', 'included', true, true],
      ['pending', 'reverted', false, false],
    ]);
  });

  it('ends with the evidence when its window passed', async () => {
    const { outcome, calls } = await run([look('expired', 7, { evidenceSha256: digest('d') })], { input });
    expect([outcome.kind, calls.at(-1)]).toEqual(['expired', 'expired at 7 by dd']);
  });

  it('writes the first statement after a silence, because only a statement can move it back', async () => {
    const silent = { observation: { status: 'indeterminate' as const, reason: 'receipt: no answer', at: AT } };
    const { calls } = await run(
      [look('included', 1), look('included', 2, silent), look('included', 3), look('finalized', 4)],
      { input },
    );
    expect(calls.filter((call) => call.startsWith('finality'))).toEqual([
      'finality included at 1',
      'finality included at 2',
      'finality included at 3',
    ]);
  });
});
