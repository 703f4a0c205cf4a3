import { beforeAll, describe, expect, it } from '@jest/globals';
import type { LaunchResource } from '@launch/contracts/multi-role';
import type { ServiceName } from '@launch/start';
import {
  forbiddenInstruction,
  foreignSource,
  freshSource,
  Launcher,
  PATIENCE_MS,
  type HandedOff,
  type PreparedRequest,
} from '../fixtures/launcher.fixture.js';
import { openHistories, permitTotals, recordsOf, type WorkflowStory } from '../fixtures/stack-records.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';
import { codesOf, errorOf } from '../launch-api.js';
import type { MutableRequest } from '../request-mutation.js';

const TEST_MS = 2 * PATIENCE_MS;

let stack: E2eStack;
let launcher: Launcher;
/** The permits of earlier chapters. */
let earlier: Awaited<ReturnType<typeof permitTotals>>;
const admitted: HandedOff[] = [];

async function admissionStory(launchId: string): Promise<WorkflowStory> {
  const histories = await openHistories(stack);
  try {
    return await histories.admission(launchId);
  } finally {
    await histories.close();
  }
}

/**
 * Checks that one decision, one signature and one hand-off exist, all of the same permit, and that every replay
 * returns that permit.
 * @param lost the activity that had to be repeated, if the crash interrupted one. Custody is called by Nexus, whose
 *   attempts leave no events.
 */
async function expectOnePermit(prepared: PreparedRequest, lost: readonly string[] = []): Promise<HandedOff> {
  const answer = await launcher.replay(prepared);
  expect({ status: answer.status, replayed: answer.headers.get('idempotency-replayed') }).toEqual({
    status: 200,
    replayed: 'true',
  });
  const { launchId } = answer.body as LaunchResource;
  const launch = await launcher.handedOff(launchId);
  const { permitDigest } = launch.wallet;
  const story = await admissionStory(launchId);
  expect(story).toMatchObject({
    status: 'COMPLETED',
    result: 'authorized',
    runs: 1,
    completed: { signPermit: 1, simulateHandoff: 1, recordHandoff: 1 },
  });
  expect(story.completed).not.toHaveProperty('refuseLaunch');
  expect(story.repeated).toEqual(expect.arrayContaining([...lost]));
  const records = await recordsOf(stack, launchId);
  expect(records).toMatchObject({
    launches: [{ permitDigest }],
    nonceHeld: true,
    decisions: [{ kind: 'digest', permitDigest }],
    signatures: [{ permitDigest }],
    handoffs: [{ permitDigest }],
  });
  const again = (await launcher.replay(prepared)).body as LaunchResource;
  expect(again.wallet).toEqual(launch.wallet);
  admitted.push(launch);
  return launch;
}

/** Checks that there is no digest, signature or hand-off, and that the nonce is free. */
async function expectNoPermit(prepared: PreparedRequest, code: string, lost: readonly string[] = []): Promise<void> {
  const answer = await launcher.replay(prepared);
  expect({ status: answer.status, codes: [errorOf(answer).code, ...codesOf(answer)] }).toEqual({
    status: 422,
    codes: expect.arrayContaining([code]),
  });
  const launchId = String(errorOf(answer).statusUrl).split('/').at(-1) as string;
  const resource = await launcher.api.get(launchId);
  expect(resource).toMatchObject({ status: 'action_required', wallet: null });
  const story = await admissionStory(launchId);
  expect(story).toMatchObject({
    status: 'COMPLETED',
    result: 'refused',
    runs: 1,
    completed: { refuseLaunch: 1, recordRefused: 1 },
  });
  expect(story.completed).not.toHaveProperty('signPermit');
  expect(story.repeated).toEqual(expect.arrayContaining([...lost]));
  const records = await recordsOf(stack, launchId);
  expect(records).toMatchObject({
    launches: [{ status: 'action_required', permitDigest: null }],
    nonceHeld: false,
    signatures: [],
    handoffs: [],
  });
  expect(records.decisions.filter(({ kind }) => kind !== 'refusal')).toEqual([]);
}

/** The connection may break during a create. The replay shows whether the request was reserved. */
const submit = (prepared: PreparedRequest): Promise<unknown> =>
  launcher.api.create(prepared.bytes, prepared.idempotencyKey).catch(() => undefined);

const REFUSED_AS = 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN';

/** Kills each part of the running product at its worst moment: nothing is lost and nothing happens twice. */
export function crashes(stackOf: () => E2eStack): void {
  describe('each part of the product that is killed without warning', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      launcher = await Launcher.open(stack);
      earlier = await permitTotals(stack);
    }, 300_000);

    describe('a part that is killed at a named point', () => {
      interface Crash {
        readonly what: string;
        readonly service: ServiceName;
        readonly point: string;
        /** Makes the service reach the point while another request is in progress. */
        readonly change?: (request: MutableRequest) => void;
        readonly lost: readonly string[];
      }
      const crashes = {
        custodyDigest: {
          what: 'custody between committing the digest and signing',
          service: 'permit-custody',
          point: 'custody.after-digest',
          lost: [],
        },
        custodySign: {
          what: 'custody between signing and storing',
          service: 'permit-custody',
          point: 'custody.after-sign',
          lost: [],
        },
        custodyStore: {
          what: 'custody between storing and answering',
          service: 'permit-custody',
          point: 'custody.after-store',
          lost: [],
        },
        compile: {
          what: 'the admission worker during a compile',
          service: 'admission-worker',
          point: 'admission.compile',
          change: freshSource,
          lost: ['compileRequest'],
        },
        gateway: {
          what: 'the gateway between commit and workflow start',
          service: 'api-gateway',
          point: 'gateway.after-commit',
          lost: [],
        },
        gatewayRefused: {
          what: 'the gateway between commit and the start of what will be refused',
          service: 'api-gateway',
          point: 'gateway.after-commit',
          change: forbiddenInstruction,
          lost: [],
        },
      } satisfies Record<string, Crash>;
      type Name = keyof typeof crashes;
      const hit = new Map<Name, PreparedRequest>();
      const bystanders: PreparedRequest[] = [];
      let refusedCompile: PreparedRequest;

      async function crash(name: Name): Promise<void> {
        const { service, point, change }: Crash = crashes[name];
        const prepared = await launcher.prepare(change === undefined ? {} : { change });
        const bystander = await launcher.prepare({ change: forbiddenInstruction });
        const { fired } = await stack.killAt(service, point);
        await submit(prepared);
        await submit(bystander);
        await fired();
        await stack.services.up(service);
        hit.set(name, prepared);
        bystanders.push(bystander);
      }

      // Temporal notices a process that died during an activity only when the activity's time is over. The crashes
      // happen one
      // after the other, so that these times overlap. Custody's last point is first and its first point is last: a
      // repeated
      // launch must not reach a point in place of the intended one, however slow the machine is. A launch whose
      // signature was
      // stored reaches no point, and every other launch has its permit before the first
      // point is set.
      beforeAll(async () => {
        refusedCompile = await launcher.prepare({ change: foreignSource });
        const { fired } = await stack.killAt('admission-worker', 'admission.compile');
        await submit(refusedCompile);
        await fired();
        await stack.services.up('admission-worker');
        for (const name of ['custodyStore', 'custodySign'] as const) await crash(name);
        // No compilation of these requests remains that could crash the worker.
        for (const refused of [refusedCompile, ...bystanders]) await launcher.replay(refused);
        for (const name of ['compile', 'gateway', 'gatewayRefused'] as const) await crash(name);
        for (const name of ['custodySign', 'compile', 'gateway'] as const)
          await launcher.replay(hit.get(name) as PreparedRequest);
        await crash('custodyDigest');
      }, TEST_MS);

      it.each(
        (['gateway', 'compile', 'custodyDigest', 'custodySign', 'custodyStore'] as const).map(
          (name) => [crashes[name].what, name] as const,
        ),
      )(
        'The product continues after this part is killed: %s.',
        async (_what, name) => {
          await expectOnePermit(hit.get(name) as PreparedRequest, crashes[name].lost);
        },
        TEST_MS,
      );

      it(
        'comes back when the admission worker compiles a request that will be refused',
        () => expectNoPermit(refusedCompile, 'CREATION_BYTECODE_MISMATCH', ['compileRequest']),
        TEST_MS,
      );

      it(
        `The product keeps a refusal after this part is killed: ${crashes.gatewayRefused.what}.`,
        () => expectNoPermit(hit.get('gatewayRefused') as PreparedRequest, REFUSED_AS),
        TEST_MS,
      );

      it(
        'leaves the requests that were refused during any of these crashes refused',
        async () => {
          expect(bystanders).toHaveLength(Object.keys(crashes).length);
          for (const bystander of bystanders) await expectNoPermit(bystander, REFUSED_AS);
        },
        TEST_MS,
      );
    });

    describe('a shared part that is killed', () => {
      it.each(['temporal', 'postgres'] as const)(
        'The product continues after this part is killed: %s.',
        async (component) => {
          const good = await launcher.prepare({ change: freshSource });
          const bad = await launcher.prepare({ change: forbiddenInstruction });
          const [goodId] = await Promise.all([launcher.create(good), launcher.create(bad)]);
          // The long compilation is in progress, and the killed server has the workflow's state.
          await launcher.api.until(goodId, ({ status }) => status === 'admitting', PATIENCE_MS);
          await stack.services.kill(component);
          await stack.services.up(component);
          await expectOnePermit(good);
          await expectNoPermit(bad, REFUSED_AS);
        },
        TEST_MS,
      );
    });

    it(
      'comes back when the finality worker waits for Ethereum',
      async () => {
        const launch = await launcher.authorize();
        admitted.push(launch);
        await fetch(`${stack.stack.faults}/chains/1/hold-posting`, { method: 'POST' });
        await launcher.send(launch);
        await launcher.api.until(launch.launchId, ({ finality }) => finality.state === 'included', PATIENCE_MS);
        const { pid } = stack.services;
        const before = pid('finality-worker');
        await stack.services.kill('finality-worker');
        await fetch(`${stack.stack.faults}/chains/1/resume-posting`, { method: 'POST' });
        await stack.services.up('finality-worker');
        expect(pid('finality-worker')).not.toBe(before);
        const { finality } = await launcher.finalized(launch.launchId);
        expect(finality).toMatchObject({ state: 'ethereum_finalized', observation: { status: 'agreed' } });
      },
      TEST_MS,
    );

    it(
      'leaves one permit for each admitted request, and each permit is good for its one launch',
      async () => {
        expect(admitted).toHaveLength(8);
        expect(await permitTotals(stack)).toEqual({
          digests: earlier.digests + admitted.length,
          signatures: earlier.signatures + admitted.length,
        });
        expect(new Set(admitted.map(({ wallet }) => wallet.permitDigest)).size).toBe(admitted.length);
        for (const launch of admitted.filter((_launch, index) => index < admitted.length - 1))
          await launcher.send(launch);
        await Promise.all(admitted.map(({ launchId }) => launcher.finalized(launchId)));
        const histories = await openHistories(stack);
        for (const { launchId, onchainLaunchId, wallet } of admitted) {
          const { status, body } = await launcher.published(onchainLaunchId);
          expect({ status, apiLaunchId: body.apiLaunchId }).toEqual({ status: 200, apiLaunchId: launchId });
          expect((await launcher.api.get(launchId)).wallet).toEqual(wallet);
          expect(await histories.observation(launchId)).toMatchObject({
            status: 'COMPLETED',
            result: 'finalized',
            completed: { buildFinalizedRecord: 1, recordFinalized: 1 },
          });
        }
        await histories.close();
      },
      TEST_MS,
    );
  });
}
