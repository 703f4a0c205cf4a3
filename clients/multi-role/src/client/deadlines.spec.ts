import { describe, expect, it } from '@jest/globals';
import { FIXTURE_LAUNCH_ID } from '../fixtures/launch-answers.fixture.js';
import { COMMANDS } from './commands.js';
import { planFinality, planHint } from './recovery.js';

const OPTIONS = {
  'launch-id': FIXTURE_LAUNCH_ID,
  'transaction-hash': `0x${'8'.repeat(64)}`,
  'onchain-launch-id': `0x${'8'.repeat(64)}`,
};
const WRITES = ['preflight', 'create'];
/** These commands read an original launch first, and plan from it. */
const OF_AN_ORIGINAL = ['recovery-transaction-hints', 'recovery-finality'];

describe('a command', () => {
  it.each(WRITES)('%s has 60 seconds', (name) => {
    expect(COMMANDS[name]?.plan(OPTIONS, Buffer.from('{}')).deadlineMs).toBe(60_000);
  });

  it.each(Object.keys(COMMANDS).filter((name) => ![...WRITES, ...OF_AN_ORIGINAL].includes(name)))(
    '%s has 30 seconds for reads and recovery',
    (name) => {
      expect(COMMANDS[name]?.plan(OPTIONS, null).deadlineMs).toBe(30_000);
    },
  );

  it.each(['v2', 'v3'] as const)('of recovery has 30 seconds, of either generation (%s)', (generation) => {
    const original = {
      launchId: FIXTURE_LAUNCH_ID,
      onchainLaunchId: OPTIONS['onchain-launch-id'],
      contextHash: OPTIONS['transaction-hash'],
      generation,
    };
    for (const plan of [planFinality(original), planHint(original, OPTIONS['transaction-hash'])])
      expect([plan.deadlineMs, plan.first?.deadlineMs ?? 30_000]).toEqual([30_000, 30_000]);
  });
});
