import type { Hex } from '@launch/contracts/primitives';
import { describe, expect, it } from '@jest/globals';
import { observeOnce, REVERTED_PERMIT_LIVE, REVERTED_UNFINALIZED } from './observe-once.js';
import {
  chains,
  look,
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

describe('stages that go back down', () => {
  it('by an L1 reorg that drops the batch, by an L2 reorg that drops the launch', async () => {
    const { world, hash } = chains('posted');
    let seen = await observeOnce(look(world), null, []);
    expect(seen.memory.stage).toBe('posted');
    world.reorgL1(1, 'drop');
    seen = await observeOnce(look(world), seen.memory, []);
    expect(seen.memory).toMatchObject({ stage: 'included', posting: null });
    world.reorgL2(3, 'drop');
    seen = await observeOnce(look(world), seen.memory, []);
    expect(seen).toMatchObject({
      status: 'agreed',
      memory: { stage: 'submitted', transactionHash: hash, inclusion: null },
    });
  });

  it('takes the posting away with the inclusion it was for', async () => {
    const { world } = chains('posted');
    const before = await observeOnce(look(world), null, []);
    world.reorgL1(1, 'drop');
    world.reorgL2(3, 'keep');
    const after = await observeOnce(
      look(world, { l1: () => ({ batchDeliveries: silent }), l2: () => ({ batchContaining: async () => 1n }) }),
      before.memory,
      [],
    );
    expect(after).toMatchObject({ status: 'indeterminate', memory: { stage: 'included', posting: null } });
    expect(after.memory.inclusion?.blockHash).not.toBe(before.memory.inclusion?.blockHash);
  });
});

describe('launches that come to nothing', () => {
  const late = (world: World): void => {
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  };

  it('expires only by finalized time, and only while the nonce is unspent', async () => {
    const { world } = chains('sent');
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    expect((await observeOnce(look(world), null, [])).memory.stage).toBe('pending');
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect((await observeOnce(look(world), null, [])).memory.stage).toBe('expired');
    expect(await observeOnce(look(world, { l2: () => ({ nonceUsed: async () => true }) }), null, [])).toMatchObject({
      status: 'indeterminate',
      memory: { stage: 'pending' },
    });
    expect(
      (await observeOnce(look(world, { onlySecond: true, l2: () => ({ nonceUsed: async () => true }) }), null, []))
        .memory.stage,
    ).toBe('pending');
    expect(
      (
        await observeOnce(
          look(world, { onlySecond: true, l2: header(finalizedTag, { timestamp: WINDOW.deadline }) }),
          null,
          [],
        )
      ).memory.stage,
    ).toBe('pending');
  });

  it('calls a revert final only once its permit can no longer be used', async () => {
    const { world, hash } = chains('posted', 'reverted');
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_UNFINALIZED,
      memory: { stage: 'submitted', inclusion: { receiptStatus: 'reverted' } },
    });
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_PERMIT_LIVE,
      memory: { stage: 'submitted' },
    });
    late(world);
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: null,
      memory: { stage: 'reverted_finalized', transactionHash: hash },
    });
  });

  it('prefers the sending that succeeded to the one that reverted', async () => {
    const { world, hash } = chains('posted', 'reverted');
    const second = world.send();
    world.mineL2(STEP, 'success');
    expect((await observeOnce(look(world), null, [hash])).memory).toMatchObject({
      stage: 'included',
      transactionHash: second,
    });
  });

  it.each(['transaction', 'receipt'] as const)(
    'takes no revert for the launch while an observer gives no %s of the sending that succeeded',
    async (method) => {
      const { world, hash } = chains('posted', 'reverted');
      const second = world.send();
      world.mineL2(STEP, 'success');
      world.mineL1(12n, true);
      const { memory } = await observeOnce(look(world), null, [hash]);
      expect(memory).toMatchObject({ stage: 'posted', transactionHash: second });
      const unsaid: Bent = {
        onlySecond: true,
        l2: (honest) => ({
          [method]: async (asked: string) => (asked === second ? silent() : honest[method](asked as Hex)),
        }),
      };
      const after = await observeOnce(look(world, unsaid), memory, [hash]);
      expect(after).toMatchObject({
        status: 'indeterminate',
        memory: { stage: 'posted', transactionHash: second, inclusion: memory.inclusion, posting: memory.posting },
      });
    },
  );

  it('never looks again once a stage is final', async () => {
    const { memory } = await observeOnce(look(chains('finalized').world), null, []);
    const deaf = look(new World(target, START, 2), {
      l2: () => ({ receipt: silent, transaction: silent, header: silent }),
    });
    expect(await observeOnce(deaf, memory, [])).toEqual({ memory, status: 'agreed', reason: null });
  });
});
