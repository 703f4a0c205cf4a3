import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { ETHEREUM_FINALITY_RULE_V1 } from './finality-rules.js';
import { observeOnce } from './observe-once.js';
import type { L2FinalityObserver, Poll } from './ports.types.js';
import { launchFixture, word } from './simulation/fixtures/launch.fixture.js';
import { honestL1, honestL2 } from './simulation/fixtures/views.js';
import { World } from './simulation/fixtures/world.js';

const START = 1_700_000_000n;
const target = launchFixture({ validAfter: START + 5n, deadline: START + 500n }, 0n, 'v3');
const vault = target.derived?.[0];

function finalizedChains(): { world: World; hash: `0x${string}` } {
  const world = new World(target, START, 2);
  world.mineL2(10n);
  const hash = world.send();
  world.mineL2(10n, 'success');
  world.mineL2(10n);
  world.mineL1(12n, true);
  for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  return { world, hash };
}

type Change = (honest: L2FinalityObserver) => Partial<L2FinalityObserver>;

function poll(world: World, of: typeof target, change?: Change, onlySecond = false): Poll {
  const l2 = (id: string, first: boolean): L2FinalityObserver => {
    const honest = honestL2(id, of, () => world.now);
    return change === undefined || (first && onlySecond) ? honest : { ...honest, ...change(honest) };
  };
  return {
    l2: [l2('l2-a', true), l2('l2-b', false)],
    l1: [honestL1('l1-a', () => world.now), honestL1('l1-b', () => world.now)],
    target: of,
    rule: ETHEREUM_FINALITY_RULE_V1,
    now: () => Number(START) * 1_000,
  };
}

/** Changes only the reads of the child, not those of the V2 rule. */
const recorded =
  (change: object): Change =>
  (honest) => ({ stampedAccount: async (...args) => ({ ...(await honest.stampedAccount(...args)), ...change }) });

const CHANGES: readonly (readonly [string, RegExp, Change])[] = [
  [
    'other code than declared',
    /runtime/,
    (honest) => ({
      codeHash: async (account, hash) =>
        account === vault?.stamped.account ? word('other') : honest.codeHash(account, hash),
    }),
  ],
  [
    'code in the block before',
    /had code before the launch/,
    (honest) => ({
      codeHash: async (account, hash) =>
        account === vault?.stamped.account ? vault.stamped.runtimeCodeHash : honest.codeHash(account, hash),
    }),
  ],
  ['another component proof', /the router records another/, recorded({ componentProof: word('other') })],
  ['another launch', /the router records another/, recorded({ launchIdByComponent: word('other') })],
  [
    'silence',
    /RPC_TIMEOUT/,
    () => ({
      stampedAccount: async () => Promise.reject(new ChainError('RPC_TIMEOUT', { observer: 'x', method: 'y' })),
    }),
  ],
];

describe('finality V3', () => {
  it("proves each derived contract separately at the launch's own block", async () => {
    const { world, hash } = finalizedChains();
    const { memory, status } = await observeOnce(poll(world, target), null, [hash]);
    expect([memory.stage, status]).toEqual(['finalized', 'agreed']);
    expect(memory.derivedContracts).toHaveLength(1);
    expect(memory.derivedContracts?.[0]).toMatchObject({
      account: vault?.stamped.account,
      roleMask: 16,
      parent: target.stamp.token,
      creationNonce: 1,
      proof: {
        blockHash: memory.inclusion?.blockHash,
        runtimeCodeHash: vault?.stamped.runtimeCodeHash,
        codeBefore: 'none',
        observers: [{ id: 'l2-a' }, { id: 'l2-b' }],
      },
    });
  });

  describe.each([
    ['when both observers report it', false],
    ['when one observer reports it', true],
  ])('%s', (_who, onlySecond) => {
    it.each(CHANGES)('does not finalize with %s', async (_what, reason, change) => {
      const { world, hash } = finalizedChains();
      const { memory, status, reason: said } = await observeOnce(poll(world, target, change, onlySecond), null, [hash]);
      expect([memory.stage, status]).toEqual(['posted', 'indeterminate']);
      expect(said).toMatch(onlySecond ? /disagree|RPC_TIMEOUT/ : reason);
      expect(memory.derivedContracts?.every(({ proof }) => proof === null)).toBe(true);
    });
  });

  it('never finalizes a child that its parent does not create', async () => {
    const orphan = { ...target, derived: (target.derived ?? []).map((child) => ({ ...child, creationNonce: null })) };
    const { world, hash } = finalizedChains();
    expect(await observeOnce(poll(world, orphan), null, [hash])).toMatchObject({
      memory: { stage: 'posted' },
      status: 'indeterminate',
      reason: expect.stringContaining('not made by its parent'),
    });
  });

  it('makes none of these reads for a V2 launch, and leaves its memory unchanged', async () => {
    const { world, hash } = finalizedChains();
    const never: Change = () => ({ stampedAccount: () => Promise.reject(new TypeError('not asked in V2')) });
    const { memory } = await observeOnce(poll(world, { ...target, derived: null }, never), null, [hash]);
    expect(memory.stage).toBe('finalized');
    expect('derivedContracts' in memory).toBe(false);
  });
});
