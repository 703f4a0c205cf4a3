import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { customLaunchResourceSchema, type CustomLaunchResource } from '@launch/contracts/custom-launch';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import { packOnStack, sendFromController, CustomLaunchClient } from '@launch/start';
import type { ChainFaults, ObserverFault } from '../fixtures/chain-faults.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { PlanDesk, stepOf } from '../fixtures/plan-desk.fixture.js';
import type { Histories } from '../fixtures/stack-records.fixture.js';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const FIRST = 'deploy-initializer';
const POLL_MS = 250;
/** Polls of each, over chains that have finalized it, while an observer lies. */
const DECEIVED_LOOKS = 2;

interface Lied {
  readonly what: string;
  readonly fault: ObserverFault;
  /** The status of the launch and the inclusion of a step while the observers disagree. */
  readonly status: CustomLaunchResource['status'];
  readonly stepIsIncluded: boolean;
}
const LIES: readonly Lied[] = [
  {
    what: 'an L2 observer that forges the logs of receipts',
    fault: {
      chain: '4663',
      observer: 1,
      faults: { forgeReceipt: { transactionHash: null, fields: ['logs', 'status'] } },
    },
    status: 'submitted',
    stepIsIncluded: false,
  },
  {
    what: 'an L1 observer that finds no logs',
    fault: { chain: '1', observer: 0, faults: { emptyLogs: true } },
    status: 'sequencer_soft_confirmed',
    stepIsIncluded: true,
  },
];

/** Custom launches and plans under lying observers: neither shows more than both observers agree on. */
export function launchesUnderLies(
  open: () => { readonly stack: E2eStack; readonly chains: ChainFaults; readonly histories: Histories },
): void {
  describe('a custom launch and the step of a plan', () => {
    it.each(LIES.map((lie) => [lie.what, lie] as const))(
      'keep their stage under %s, and are finalized afterwards',
      async (_what, { fault, status, stepIsIncluded }) => {
        const { stack, chains, histories } = open();
        await customLaunchReleaseIsReady(stack);
        const wallets = await Promise.all([withOwnController(stack), withOwnController(stack)]);
        const [launcher, planner] = wallets;
        const client = new CustomLaunchClient(
          launcher.stack,
          await launcher.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }),
        );
        const desk = await PlanDesk.open(planner);
        const { bytes, report } = await packOnStack(launcher.stack, BUNDLES);
        const sent = { body: bytes, idempotencyKey: report.idempotencyKey };
        const { launchId } = await client.ask('POST', LAUNCHES, customLaunchResourceSchema, sent);
        const { planId } = await desk.create('sequential');
        const until = async (isSo: (resource: CustomLaunchResource) => boolean): Promise<CustomLaunchResource> => {
          for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
            const resource = await client.read(launchId);
            if (isSo(resource)) return resource;
            if (Date.now() > deadline) throw new Error(`the launch stays ${resource.status}`);
          }
        };
        // Both are admitted first: a fault must affect the sent transaction, not the simulation.
        const { handoff } = await until((resource) => resource.status === 'awaiting_wallet_signature');
        const authorization = await desk.offered(planId, FIRST);

        await chains.begin(fault);
        const hashes = [
          await sendFromController(launcher.stack, handoff!.walletTransaction),
          await desk.send(authorization),
        ];
        for (const hash of hashes) await chains.until(hash, ({ state }) => state === 'finalized');
        await looked(() => histories.polls(launchId));
        await looked(() => histories.looks(planId, FIRST));
        expect((await client.read(launchId)).status).toBe(status);
        const { finality } = stepOf(await desk.until(planId, () => true), FIRST);
        expect([finality.l2Inclusion !== null, finality.l1Posting]).toEqual([stepIsIncluded, null]);

        await chains.endAll();
        const finalized = await until((resource) => resource.status === 'finalized');
        expect(finalized.finality.l2Inclusion?.transactionHash).toBe(hashes[0]);
        const plan = await desk.until(planId, (one) => stepOf(one, FIRST).status === 'finalized');
        expect(stepOf(plan, FIRST).finality.l2Inclusion?.transactionHash).toBe(hashes[1]);
      },
      2 * PATIENCE_MS,
    );
  });
}

/** Waits until the subject was polled often enough from now on. */
async function looked(
  looks: () => Promise<readonly { readonly observation: { readonly at: string } }[]>,
): Promise<void> {
  const since = Date.now();
  for (const deadline = since + PATIENCE_MS; ; await sleep(POLL_MS)) {
    const later = (await looks()).filter(({ observation }) => Date.parse(observation.at) > since);
    if (later.length >= DECEIVED_LOOKS) return;
    if (Date.now() > deadline) throw new Error('it was not looked at');
  }
}
