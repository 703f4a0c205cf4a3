import type { Hex } from '@launch/contracts/primitives';
import { describe, expect, it } from '@jest/globals';
import { observeOnce, REVERTED_PERMIT_LIVE, REVERTED_UNFINALIZED } from './observe-once.js';
import {
  chains,
  poll,
  silent,
  START,
  STEP,
  target,
  WINDOW,
  type Bent,
  finalizedTag,
  header,
} from './simulation/fixtures/bent-chains.js';
import { World } from './simulation/fixtures/world.js';

describe('stages', () => {
  it('A stage goes down after an L1 reorg that drops the batch and after an L2 reorg that drops the launch.', async () => {
    const { world, hash } = chains('posted');
    let seen = await observeOnce(poll(world), null, []);
    expect(seen.memory.stage).toBe('posted');
    world.reorgL1(1, 'drop');
    seen = await observeOnce(poll(world), seen.memory, []);
    expect(seen.memory).toMatchObject({ stage: 'included', posting: null });
    world.reorgL2(3, 'drop');
    seen = await observeOnce(poll(world), seen.memory, []);
    expect(seen).toMatchObject({
      status: 'agreed',
      memory: { stage: 'submitted', transactionHash: hash, inclusion: null },
    });
  });

  it('A launch loses the posting together with its inclusion.', async () => {
    const { world } = chains('posted');
    const before = await observeOnce(poll(world), null, []);
    world.reorgL1(1, 'drop');
    world.reorgL2(3, 'keep');
    const after = await observeOnce(
      poll(world, { l1: () => ({ batchDeliveries: silent }), l2: () => ({ batchContaining: async () => 1n }) }),
      before.memory,
      [],
    );
    expect(after).toMatchObject({ status: 'indeterminate', memory: { stage: 'included', posting: null } });
    expect(after.memory.inclusion?.blockHash).not.toBe(before.memory.inclusion?.blockHash);
  });
});

describe('launches without success', () => {
  const late = (world: World): void => {
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  };

  it('A launch expires only by finalized time, and only while the nonce is unspent.', async () => {
    const { world } = chains('sent');
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    expect((await observeOnce(poll(world), null, [])).memory.stage).toBe('pending');
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect((await observeOnce(poll(world), null, [])).memory.stage).toBe('expired');
    expect(await observeOnce(poll(world, { l2: () => ({ nonceUsed: async () => true }) }), null, [])).toMatchObject({
      status: 'indeterminate',
      memory: { stage: 'pending' },
    });
    expect(
      (await observeOnce(poll(world, { onlySecond: true, l2: () => ({ nonceUsed: async () => true }) }), null, []))
        .memory.stage,
    ).toBe('pending');
    expect(
      (
        await observeOnce(
          poll(world, { onlySecond: true, l2: header(finalizedTag, { timestamp: WINDOW.deadline }) }),
          null,
          [],
        )
      ).memory.stage,
    ).toBe('pending');
  });

  it('have a final revert only once the permit can no longer be used', async () => {
    const { world, hash } = chains('posted', 'reverted');
    expect(await observeOnce(poll(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_UNFINALIZED,
      memory: { stage: 'submitted', inclusion: { receiptStatus: 'reverted' } },
    });
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect(await observeOnce(poll(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_PERMIT_LIVE,
      memory: { stage: 'submitted' },
    });
    late(world);
    expect(await observeOnce(poll(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: null,
      memory: { stage: 'reverted_finalized', transactionHash: hash },
    });
  });

  it('count a successful transaction before a reverted one', async () => {
    const { world, hash } = chains('posted', 'reverted');
    const second = world.send();
    world.mineL2(STEP, 'success');
    expect((await observeOnce(poll(world), null, [hash])).memory).toMatchObject({
      stage: 'included',
      transactionHash: second,
    });
  });

  it.each(['transaction', 'receipt'] as const)(
    'are not judged by a revert while an observer lacks the %s of the successful transaction',
    async (method) => {
      const { world, hash } = chains('posted', 'reverted');
      const second = world.send();
      world.mineL2(STEP, 'success');
      world.mineL1(12n, true);
      const { memory } = await observeOnce(poll(world), null, [hash]);
      expect(memory).toMatchObject({ stage: 'posted', transactionHash: second });
      const unsaid: Bent = {
        onlySecond: true,
        l2: (honest) => ({
          [method]: async (asked: string) => (asked === second ? silent() : honest[method](asked as Hex)),
        }),
      };
      const after = await observeOnce(poll(world, unsaid), memory, [hash]);
      expect(after).toMatchObject({
        status: 'indeterminate',
        memory: { stage: 'posted', transactionHash: second, inclusion: memory.inclusion, posting: memory.posting },
      });
    },
  );

  it('are not polled again once a stage is final', async () => {
    const { memory } = await observeOnce(poll(chains('finalized').world), null, []);
    const deaf = poll(new World(target, START, 2), {
      l2: () => ({ receipt: silent, transaction: silent, header: silent }),
    });
    expect(await observeOnce(deaf, memory, [])).toEqual({ memory, status: 'agreed', reason: null });
  });
});
