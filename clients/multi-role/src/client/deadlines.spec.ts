import { describe, expect, it } from '@jest/globals';
import { FIXTURE_LAUNCH_ID } from '../fixtures/launch-answers.fixture.js';
import { COMMANDS } from './commands.js';

const OPTIONS = { 'launch-id': FIXTURE_LAUNCH_ID, 'transaction-hash': `0x${'8'.repeat(64)}`, 'onchain-launch-id': `0x${'8'.repeat(64)}` };
const WRITES = ['preflight', 'create'];
/** These read an original launch; `recovery.spec.ts` holds their one deadline. */
const OF_AN_ORIGINAL = ['recovery-transaction-hints', 'recovery-finality'];

describe('a command', () => {
  it.each(WRITES)('%s has 60 seconds', (name) => {
    expect(COMMANDS[name]?.plan(OPTIONS, Buffer.from('{}')).deadlineMs).toBe(60_000);
  });

  it.each(Object.keys(COMMANDS).filter((name) => ![...WRITES, ...OF_AN_ORIGINAL].includes(name)))('%s has 30 seconds for reads and recovery', (name) => {
    expect(COMMANDS[name]?.plan(OPTIONS).deadlineMs).toBe(30_000);
  });
});
