import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PlanResourceV12 } from '@launch/contracts/plans';
import { publishedRecord, type ServiceName } from '@launch/start';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { PlanDesk, stepOf } from '../fixtures/plan-desk.fixture.js';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const STEPS = ['deploy-initializer', 'deploy-token', 'deploy-hook', 'register'] as const;
/** Seconds of a permit's window that custody and the offer of a step require. */
const LEAD_SECONDS = 75;
const NOWHERE = `0x${'7'.repeat(64)}` as const;
/** Includes the window of the plan that expires. */
const TEST_MS = 6 * PATIENCE_MS;

let stack: E2eStack;
/** Two wallets: both plans run side by side. */
let desk: PlanDesk;
let doomedDesk: PlanDesk;
let doomed: PlanResourceV12;

/** Sends a step when it is offered, and waits until it is in a block. */
async function take(by: PlanDesk, planId: string, stepId: string): Promise<PlanResourceV12> {
  await by.send(await by.offered(planId, stepId));
  return by.until(planId, (plan) => stepOf(plan, stepId).finality.l2Inclusion !== null);
}

/**
 * Sequential plans in trouble: services that are killed, and a window that ends midway. The chapter needs a stack whose
 * services no other suite uses at the same time.
 */
export function plansInTrouble(stackOf: () => E2eStack): void {
  describe('a sequential plan', () => {
    beforeAll(async () => {
      stack = stackOf();
      await customLaunchReleaseIsReady(stack);
      desk = await PlanDesk.open(await withOwnController(stack));
      doomedDesk = await PlanDesk.open(await withOwnController(stack));
      // The load of this machine determines the necessary length of a window for two steps.
      const began = Date.now();
      const measured = await desk.create('sequential');
      await desk.offered(measured.planId, STEPS[0]);
      const toFirstOffer = Math.ceil((Date.now() - began) / 1_000);
      const windowSeconds = LEAD_SECONDS + Math.max(120, 12 * toFirstOffer);
      doomed = await doomedDesk.create('sequential', { windowSeconds });
      for (const stepId of STEPS.slice(0, 2)) await take(doomedDesk, doomed.planId, stepId);
    }, TEST_MS);
    killed();
    outlived();
  });
}

function killed(): void {
  const points = (kills: Readonly<Partial<Record<ServiceName, string>>>) =>
    Promise.all(Object.entries(kills).map(([service, point]) => stack.killAt(service as ServiceName, point)));

  it(
    'A plan is finalized although each service is killed at every turn, with one digest and the bytes of each offer.',
    async () => {
      const packed = await desk.pack({ mode: 'sequential' });
      const [reservation, admission, digest, inclusion] = await points({
        'api-gateway': 'gateway.after-commit',
        'admission-worker': 'admission.compile',
        'permit-custody': 'custody.after-digest',
        'finality-worker': 'finality.after-step-inclusion',
      });
      // The gateway dies before it sends the answer; the replay shows that the plan is reserved.
      await desk.submit(packed).catch(() => undefined);
      await reservation!.fired();
      await stack.services.up('api-gateway');
      const { planId } = await desk.submit(packed);
      await Promise.all([admission!.fired(), digest!.fired()]);

      const first = await desk.offered(planId, STEPS[0]);
      const [offer] = await points({ 'api-gateway': 'gateway.after-step-offer' });
      await desk.send(first);
      await inclusion!.fired();
      const [finality] = await points({ 'finality-worker': 'finality.after-step-evidence' });
      // The second step is offered, and the gateway is gone before it can report that.
      await offer!.fired();
      await stack.services.up('api-gateway');
      const offered = [first];
      for (const stepId of STEPS.slice(1)) {
        offered.push(await desk.offered(planId, stepId));
        await take(desk, planId, stepId);
      }
      await finality!.fired();
      const plan = await desk.until(planId, ({ status }) => status === 'finalized');
      expect(plan.steps.map(({ authorization }) => authorization)).toEqual(offered);
      expect(plan.steps.map(({ status }) => status)).toEqual(STEPS.map(() => 'finalized'));
      expect(await desk.submit(packed)).toMatchObject({ planId, status: 'finalized' });

      const records = await recordsOf(stack, planId);
      expect(records).toMatchObject({ nonceHeld: true, decisions: [{ kind: 'digest' }] });
      expect(records.signatures).toEqual([{ permitDigest: records.decisions[0]!.permitDigest }]);
      expect(await publishedRecord(stack.stack, planId)).toMatchObject({ requestKind: 'plan' });
    },
    TEST_MS,
  );
}

function outlived(): void {
  it(
    'A plan whose window ends after two deployments expires, and its one successor is finalized despite every wrong hint.',
    async () => {
      const { planId, planDigest, expiresAt } = doomed;
      const expired = await doomedDesk.until(planId, ({ status }) => status === 'expired', Date.parse(expiresAt));
      expect(expired.continuation).toMatchObject({ reason: 'expired' });
      expect(expired.steps.map(({ authorization }) => authorization === null)).toEqual([false, false, true, true]);

      const predecessor = { planId, planDigest };
      const successor = await doomedDesk.create('sequential', { predecessor });
      expect((await doomedDesk.until(planId, () => true)).status).toBe('superseded');
      // Neither an unknown hash nor the former plan's own deploy advances the step that it names.
      const foreign = stepOf(expired, STEPS[0]).transactions[0]!.transactionHash;
      await doomedDesk.offered(successor.planId, STEPS[0]);
      for (const hash of [NOWHERE, foreign])
        expect((await doomedDesk.prove(successor.planId, STEPS[0], hash)).status).toBe(202);
      for (const stepId of STEPS) await take(doomedDesk, successor.planId, stepId);
      const finalized = await doomedDesk.until(successor.planId, ({ status }) => status === 'finalized');
      expect(stepOf(finalized, STEPS[0]).transactions).toEqual([
        { transactionHash: NOWHERE, source: 'hint', status: 'not_found' },
        { transactionHash: foreign, source: 'hint', status: 'not_this_step' },
        { transactionHash: expect.any(String), source: 'observed', status: 'included' },
      ]);
      // Contracts of the earlier plan are not adopted.
      const deploys = (plan: PlanResourceV12) =>
        plan.steps.slice(0, 2).map(({ authorization }) => (authorization as { readonly data: string }).data);
      expect(deploys(finalized)).not.toEqual(deploys(expired));
      await expect(doomedDesk.create('sequential', { predecessor })).rejects.toThrow('PREDECESSOR_MISMATCH');
      expect(await publishedRecord(stack.stack, successor.planId)).toMatchObject({ requestKind: 'plan' });
    },
    TEST_MS,
  );
}
