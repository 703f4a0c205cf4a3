import path from 'node:path';
import { expect, it } from '@jest/globals';
import {
  customLaunchFinalizedListSchema,
  customLaunchResourceSchema,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import { packOnStack, sendFromController, CustomLaunchClient } from '@launch/start';
import type { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import type { E2eStack } from '../stacks/own-stack.js';

const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;

/** A custom launch shows each stage in its status, and goes back down with the chains. Leaves posting on. */
export function launchesThatMoveBack(open: () => { readonly stack: E2eStack; readonly chains: ChainFaults }): void {
  it(
    'A custom launch goes back after a reorganisation of either chain, and reaches its record in the end.',
    async () => {
      const { stack, chains } = open();
      const client = new CustomLaunchClient(
        stack.stack,
        await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }),
      );
      const { bytes, report } = await packOnStack(stack.stack, BUNDLES);
      const { idempotencyKey } = report;
      const sent = { body: bytes, idempotencyKey };
      const { launchId } = await client.ask('POST', LAUNCHES, customLaunchResourceSchema, sent);
      const until = async (status: CustomLaunchResource['status']): Promise<CustomLaunchResource> => {
        for (const deadline = Date.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
          const resource = await client.read(launchId);
          if (resource.status === status) return resource;
          if (Date.now() > deadline) throw new Error(`${resource.status} (${resource.statusReason}), not ${status}`);
        }
      };

      const { handoff } = await until('awaiting_wallet_signature');
      if (handoff === null) throw new TypeError('a launch that awaits its wallet has its hand-off');
      await chains.holdPosting();
      const hash = await sendFromController(stack.stack, handoff.walletTransaction);
      const first = await until('sequencer_soft_confirmed');
      await chains.reorg('4663', { dropTransaction: hash });
      const dropped = await until('submitted');
      expect([dropped.finality.stage, dropped.finality.l2Inclusion, dropped.handoff]).toEqual([
        'pending',
        null,
        handoff,
      ]);
      await chains.restore();
      const again = await until('sequencer_soft_confirmed');
      expect(again.finality.l2Inclusion?.blockHash).not.toBe(first.finality.l2Inclusion?.blockHash);

      await chains.resumePosting();
      const { batch } = await chains.until(hash, ({ state }) => state !== 'included');
      await chains.holdPosting();
      await until('ethereum_posted');
      await chains.reorg('1', { dropTransaction: batch?.transactionHash ?? '' });
      const unposted = await until('sequencer_soft_confirmed');
      expect(unposted.finality.l1Posting).toBeNull();
      await chains.resumePosting();
      const { transactions } = await until('finalized');
      expect(transactions).toEqual([{ transactionHash: hash, source: 'observed', status: 'included' }]);
      const page = await fetch(`${stack.gateway}${CHAIN_BASE_PATH}/finalized-custom-launches`);
      const { items, quality } = customLaunchFinalizedListSchema.parse(await page.json());
      expect(quality).toEqual({ status: 'ready', reasons: [] });
      expect(items.map(({ onchain }) => [onchain.transactionHash, onchain.l1Posting.batchTransactionHash])).toEqual([
        [hash, expect.not.stringMatching(batch?.transactionHash ?? 'no batch')],
      ]);
    },
    3 * PATIENCE_MS,
  );
}
