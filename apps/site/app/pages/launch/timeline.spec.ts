import { describe, expect, it } from '@jest/globals';
import type { CustomLaunch } from '@launch/sdk';
import { CUSTOM_LAUNCH_STATUSES } from '@launch/contracts/states';
import { factsOf } from './launch-facts.js';
import { aFinality, aLaunch, AN_INCLUSION, aPlan } from './owned-launch.fixture.js';
import { statusSentence, timelineOf } from './timeline.js';

/** The first letter of each state; `x` for a stage that is never reached. */
const states = (changes: Partial<CustomLaunch>): string =>
  timelineOf(factsOf(aLaunch(changes)))
    .map(({ state }) => (state === 'never' ? 'x' : state[0]))
    .join('');

describe('The timeline of a launch', () => {
  it.each([
    ['admitting', 'dnaaaaa'],
    ['action_required', 'dsxxxxx'],
    ['authorized', 'dddnaaa'],
    ['awaiting_wallet_signature', 'dddnaaa'],
    ['wallet_action_required', 'dddnaaa'],
    ['submitted', 'ddddnaa'],
    ['sequencer_soft_confirmed', 'dddddna'],
    ['ethereum_posted', 'ddddddn'],
    ['finalized', 'ddddddd'],
    ['failed', 'dddsxxx'],
  ] as const)('is at one stage in the status %s', (status, shown) => {
    expect(states({ status, failure: null })).toBe(shown);
  });

  it('covers every status of the service', () => {
    for (const status of CUSTOM_LAUNCH_STATUSES) expect(states({ status, failure: null })).toMatch(/^d+(na*|sx*)?$/);
  });

  it('stops at the stage in which the launch failed', () => {
    const failure: CustomLaunch['failure'] = {
      code: 'TX_SIMULATION_REVERTED' as NonNullable<CustomLaunch['failure']>['code'],
      stage: 'admitting',
      evidence: null,
      recovery: { action: 'correct_and_resubmit', detail: 'Pack again.' },
    };
    expect(states({ status: 'failed', failure })).toBe('dsxxxxx');
    expect(states({ status: 'failed', failure: { ...failure, stage: 'sequencer_soft_confirmed' } })).toBe('dddddsx');
  });

  it('marks the stages that a reorganisation can take back, and none after finality', () => {
    const marked = (status: CustomLaunch['status']): readonly string[] =>
      timelineOf(factsOf(aLaunch({ status })))
        .filter(({ isReversible }) => isReversible)
        .map(({ stage }) => stage);
    expect(marked('awaiting_wallet_signature')).toEqual([]);
    expect(marked('ethereum_posted')).toEqual(['sent', 'included', 'posted']);
    expect(marked('finalized')).toEqual([]);
  });

  it('dates a stage by the last provider that agreed, and the next one by the estimate', () => {
    const estimatedNextStageAt = '2026-11-28T12:05:00.000Z';
    const finality = aFinality({ stage: 'included', l2Inclusion: AN_INCLUSION, estimatedNextStageAt });
    const entries = timelineOf(factsOf(aLaunch({ status: 'sequencer_soft_confirmed', finality })));
    expect(entries.find(({ stage }) => stage === 'included')?.at).toBe('2026-11-28T11:50:07.000Z');
    expect(entries.filter(({ expectedAt }) => expectedAt !== null).map(({ stage }) => stage)).toEqual(['posted']);
  });

  it('invents no time for a stage that the service does not date', () => {
    const entries = timelineOf(factsOf(aLaunch({ status: 'submitted', handoff: null })));
    expect(entries.map(({ at }) => at !== null)).toEqual([true, false, false, false, false, false, false]);
  });

  it('counts the transactions of a plan', () => {
    expect(statusSentence(factsOf(aPlan()))).toBe(
      '0 of 2 transactions of the plan are on chain 4663. The next step is deploy-token.',
    );
  });

  it('says nothing of a final launch that a reorganisation could still change', () => {
    const text = timelineOf(factsOf(aLaunch({ status: 'finalized', failure: null })))
      .map((entry) => entry.text)
      .join(' ');
    expect(text).toContain('The chain executed the launch. The coin exists.');
    expect(text).not.toMatch(/can still be lost|on its way|not in a final block/);
  });
});
