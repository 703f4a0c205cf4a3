import { beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReadOnlyFileBlobStore } from '@launch/blob-store';
import {
  customLaunchErrorBodySchema,
  type CustomLaunchHandoff,
  type CustomLaunchRequest,
  type CustomLaunchResource,
  customLaunchResourceSchema,
  MACHINE_CONTRACT_DIGESTS,
  MACHINE_CONTRACT_PATH,
  MACHINE_CONTRACTS_PATH,
  type MachineContractVersion,
} from '@launch/contracts/custom-launch';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  PLAN_PATHS,
  PLAN_REQUEST_SCHEMA,
  planCapabilitiesSchema,
  planErrorsSchema,
  planResourceSchema,
} from '@launch/contracts/plans';
import { canonicalKeccak, CHAIN_BASE_PATH, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { launchGuideSchema, launchReportPath } from '@launch/contracts/reports';
import { isIncluded } from '@launch/contracts/states';
import { PROFILE_WORDS } from '@launch/evm';
import {
  packOnStack,
  packPlanOnStack,
  publishedRecord,
  runCustomLaunch,
  sendFromController,
  CustomLaunchClient,
  type Stack,
} from '@launch/start';
import { noteCodes } from '@launch/testing';
import { DescribedApi } from '../fixtures/described-api.fixture.js';
import { freshKey } from '../fixtures/launch-desk.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { PlanDesk, stepOf } from '../fixtures/plan-desk.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { accessTo, withOwnController, type E2eStack, type StackAccess } from '../stacks/own-stack.js';

const TEST_MS = 2 * PATIENCE_MS;
const POLL_MS = 250;
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const PLANS = PLAN_PATHS.create.replace('{chainId}', '4663');

/** A request as its client keeps it: the bytes and the key that belong together. */
interface Sent {
  readonly body: Uint8Array;
  readonly idempotencyKey: string;
}
interface Created extends Sent {
  readonly launchId: string;
}

/** The chapter's controller for all starts; its key is rotated at each start. */
let controller: Stack['controller'];
let credential: { readonly credentialId: string; readonly key: string };
let stack: StackAccess;
let client: CustomLaunchClient;

/** Launches of profile 4.0: one finished, one with its wallet, one under admission, one never sent to the API. */
let finished: Created;
let answers: readonly string[];
let handedOff: Created & { readonly handoff: CustomLaunchHandoff };
let waiting: Created;
let unsent: Sent;
let earlier: string;
/** A plan of profile 4.1, from the second start on; its first step is included. */
let plan: Created & { readonly deployed: string };

/** Returns the running product for the chapter's controller, once it accepts custom-launch requests. */
async function use(access: StackAccess): Promise<void> {
  stack = accessTo({ ...access.stack, controller });
  client = new CustomLaunchClient(stack.stack, credential.key);
  await customLaunchReleaseIsReady(stack);
}

async function rotateKey(): Promise<void> {
  const rotated = await stack.admin(
    ...['keys', 'rotate', '--credential', credential.credentialId, '--grace', '0', '--json'],
  );
  const former = client;
  credential = JSON.parse(rotated) as typeof credential;
  await use(stack);
  expect((await former.send('GET', LAUNCHES)).status).toBe(401);
}

async function pack(): Promise<Sent> {
  const { bytes, report } = await packOnStack(stack.stack, BUNDLES);
  return { body: bytes, idempotencyKey: report.idempotencyKey };
}

async function create(sent: Sent): Promise<Created> {
  return { ...sent, ...(await client.ask('POST', LAUNCHES, customLaunchResourceSchema, sent)) };
}

/** Waits until the launch has the status. @throws Error when it ends with another. */
async function until(launchId: string, status: CustomLaunchResource['status']): Promise<CustomLaunchResource> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    const resource = await client.read(launchId);
    if (resource.status === status) return resource;
    const { statusReason, findings } = resource;
    if (['action_required', 'failed'].includes(resource.status) || Date.now() > deadline)
      throw new Error(`${resource.status} (${statusReason}), not ${status}: ${JSON.stringify(findings)}`);
  }
}

async function handoffOf({ launchId }: Created): Promise<CustomLaunchHandoff> {
  const { handoff } = await until(launchId, 'awaiting_wallet_signature');
  if (handoff === null) throw new TypeError('a launch that awaits its wallet has its hand-off');
  return handoff;
}

async function published(route: string): Promise<Buffer> {
  const response = await fetch(`${stack.gateway}${route}`);
  expect([route, response.status]).toEqual([route, 200]);
  return Buffer.from(await response.arrayBuffer());
}
const digestAt = async (route: string): Promise<Sha256Digest> => sha256Digest(await published(route));

/**
 * Reads every answer to the owner and the public about a finalized launch, byte for byte except its place in the feed.
 */
async function answersAbout({ launchId, ...sent }: Created): Promise<readonly string[]> {
  const replay = await client.send('POST', LAUNCHES, sent);
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  const detail = await client.send('GET', `${LAUNCHES}/${launchId}`);
  const record = await publishedRecord(stack.stack, launchId);
  return [await replay.text(), await detail.text(), JSON.stringify(record), await digestAt(record.evidence.path)];
}

/** Returns the codes and places of a refused create's findings; the key stays free. */
async function refused(route: string, sent: Sent): Promise<readonly string[]> {
  const response = await client.send('POST', route, sent);
  const body: unknown = await response.json();
  noteCodes(body);
  expect(response.status).toBe(422);
  const findings: readonly CustomLaunchFinding[] =
    route === PLANS ? planErrorsSchema.parse(body).errors : customLaunchErrorBodySchema.parse(body).error.findings;
  return findings.map(({ code, path: at, expected, actual }) => `${code} ${at} ${expected} ${actual}`);
}

/** Checks that both frozen machine contracts are served, and that the one of the published profile is bound. */
async function expectFrozenContracts(bound: MachineContractVersion): Promise<void> {
  const { '4.0': former, '4.1': current } = MACHINE_CONTRACT_DIGESTS;
  expect(await Promise.all(['4.0', '4.1'].map((name) => digestAt(`${MACHINE_CONTRACTS_PATH}/${name}`)))).toEqual([
    former,
    current,
  ]);
  expect(await digestAt(MACHINE_CONTRACT_PATH)).toBe(MACHINE_CONTRACT_DIGESTS[bound]);
}

/**
 * Checks the one permit, which is of profile 4.0: no value, no price, and the bytes of the request as they were sent.
 */
async function expectOfProfile40({ launchId, body }: Created, handoff: CustomLaunchHandoff): Promise<void> {
  const { permitDigest, requestSha256, contextHash, usdReference, walletTransaction } = handoff;
  expect([contextHash, usdReference, walletTransaction.value, requestSha256]).toEqual([
    earlier,
    null,
    '0',
    sha256Digest(body),
  ]);
  expect(walletTransaction.data).toContain(PROFILE_WORDS['4.0'].slice(2));
  const blobs = createReadOnlyFileBlobStore({ dir: path.join(stack.dir, 'blobs') });
  expect(Buffer.from(await blobs.get(requestSha256)).equals(body)).toBe(true);
  expect(await recordsOf(stack, launchId)).toMatchObject({
    decisions: [{ kind: 'digest', permitDigest }],
    signatures: [{ permitDigest }],
    handoffs: [{ permitDigest }],
  });
}

/** Checks the custom launches and refusals of a deployment of profile 4.0, which is started with 4.1 later. */
export function launchesOfProfile40(stackOf: () => E2eStack): void {
  describe('under profile 4.0', () => {
    beforeAll(async () => {
      const own = await withOwnController(stackOf());
      ({ controller } = own.stack);
      const issue = ['--wallet', own.controller, '--scopes', 'custom-launch:create,custom-launch:read', '--json'];
      credential = JSON.parse(await own.admin('keys', 'issue', ...issue)) as typeof credential;
      await use(own);
    }, PATIENCE_MS);

    it(
      'a custom launch without a buy goes to its record, as the frozen contract 4.0 describes it',
      async () => {
        await expectFrozenContracts('4.0');
        const workDir = path.join(await mkdtemp(path.join(stack.dir, 'v4-')), 'launch');
        const onStage = (): void => undefined;
        const { resource, launchId } = await runCustomLaunch({
          ...{ stack: stack.stack, bundles: BUNDLES, workDir, onStage, timeoutMs: PATIENCE_MS },
          apiKey: credential.key,
        });
        const body = await readFile(path.join(workDir, 'request.json'));
        finished = { launchId, body, idempotencyKey: `v4-${sha256Digest(body).slice('sha256:'.length)}` };
        if (resource.handoff === null) throw new TypeError('an included launch keeps its hand-off');
        earlier = resource.handoff.contextHash;
        expect(resource.profile).toBe('4.0.0');
        await expectOfProfile40(finished, resource.handoff);
        const contract = new DescribedApi(JSON.parse((await published(MACHINE_CONTRACT_PATH)).toString()));
        expect(contract.request(LAUNCHES, parseStrictJson(body))).toEqual([]);
        expect(contract.answer('GET', `${LAUNCHES}/${launchId}`, 200, resource)).toEqual([]);
        answers = await answersAbout(finished);
      },
      TEST_MS,
    );

    it('no scenario is evaluated, and requests of profile 4.1 and plans are refused by their code', async () => {
      const guide = launchGuideSchema.parse(JSON.parse((await published(launchReportPath('launch-guide'))).toString()));
      const capabilities = await published(PLAN_PATHS.capabilities.replace('{chainId}', '4663'));
      const { operations } = planCapabilitiesSchema.parse(JSON.parse(capabilities.toString()));
      expect(operations.create.reasonCodes).toContain('PROFILE_NOT_CURRENT');
      expect(new Set(guide.scenarios.map(({ assessment }) => assessment))).toEqual(new Set(['not-evaluated']));
      unsent = await pack();
      const request = parseStrictJson(unsent.body) as unknown as CustomLaunchRequest;
      const { moduleSelections: _none, ...members } = request;
      const v41 = { ...request, schemaVersion: 'service.custom-launch-create-request.v4.1', profile: '4.1.0' };
      const asPlan = { ...members, schemaVersion: PLAN_REQUEST_SCHEMA, profile: '4.1.0' };
      const sequential = { ...asPlan, mode: 'sequential', predecessor: null };
      for (const [route, body] of [[LAUNCHES, v41] as const, [PLANS, sequential] as const])
        expect(await refused(route, { body: canonicalizeJson(body), idempotencyKey: freshKey() })).toContain(
          'PROFILE_NOT_CURRENT /profile 4.0.0 4.1.0',
        );
    });

    it(
      'another custom launch awaits its wallet',
      async () => {
        const created = await create(await pack());
        handedOff = { ...created, handoff: await handoffOf(created) };
        await expectOfProfile40(handedOff, handedOff.handoff);
      },
      TEST_MS,
    );
  });
}

/** Leaves a launch under admission with custody stopped, before the stack is stopped. */
export async function leaveUnderAdmission({ services }: E2eStack): Promise<void> {
  await services.kill('permit-custody', 'SIGTERM', { hold: true });
  waiting = await create(await pack());
  expect(await client.read(waiting.launchId)).toMatchObject({ status: 'admitting', handoff: null });
}

/** Checks the next start of the same data, which publishes profile 4.1. Its key is another one of the lineage. */
export function launchesOfProfile40Under41(siteOf: () => Promise<StackAccess>): void {
  it(
    'continues custom launches of profile 4.0: each keeps its bytes and its meaning up to its record',
    async () => {
      await use(await siteOf());
      await rotateKey();
      await expectFrozenContracts('4.1');
      expect(await answersAbout(finished)).toEqual(answers);
      for (const { launchId, ...sent } of [handedOff, waiting]) {
        const replay = await client.send('POST', LAUNCHES, sent);
        expect([replay.status, ((await replay.json()) as { launchId: string }).launchId]).toEqual([200, launchId]);
      }
      const open = [handedOff, { ...waiting, handoff: await handoffOf(waiting) }];
      expect((await client.read(handedOff.launchId)).handoff).toEqual(handedOff.handoff);
      for (const { handoff } of open) await sendFromController(stack.stack, handoff.walletTransaction);
      for (const launch of open) {
        const { handoff, profile, failure } = await until(launch.launchId, 'finalized');
        expect([handoff, profile, failure]).toEqual([launch.handoff, '4.0.0', null]);
        await expectOfProfile40(launch, launch.handoff);
        expect(await publishedRecord(stack.stack, launch.launchId)).toMatchObject({ requestKind: 'launch' });
      }
    },
    TEST_MS,
  );

  it(
    'refuses a new request of profile 4.0 by its code, and accepts a plan of profile 4.1',
    async () => {
      expect(await refused(LAUNCHES, unsent)).toEqual(
        expect.arrayContaining([
          'PROFILE_NOT_CURRENT /profile 4.1.0 4.0.0',
          expect.stringMatching(new RegExp(`^CONTEXT_NOT_CURRENT /contextHash 0x[0-9a-f]{64} ${earlier}$`)),
        ]),
      );
      const { bytes: body, report } = await packPlanOnStack(stack.stack, BUNDLES, { mode: 'sequential' });
      const { idempotencyKey } = report;
      const { planId } = await client.ask('POST', PLANS, planResourceSchema, { body, idempotencyKey });
      const [deployed] = report.stepIds as [string];
      plan = { launchId: planId, body, idempotencyKey, deployed };
      const desk = PlanDesk.withKey(stack, credential.key);
      await desk.send(await desk.offered(planId, deployed));
      await desk.until(planId, (one) => isIncluded(stepOf(one, deployed).status));
    },
    TEST_MS,
  );
}

/** Publishes a newer context of profile 4.1 over a plan with an included step. */
export function plansUnderANewerContext(stackOf: () => E2eStack): void {
  it(
    'continues a plan, and replays by another key, after it was killed and a newer context was published',
    async () => {
      await use(stackOf());
      const { bytes } = await packPlanOnStack(stack.stack, BUNDLES, { mode: 'sequential' });
      const former = await publishNewerContext(stackOf());
      await rotateKey();

      expect(await answersAbout(finished)).toEqual(answers);
      const { launchId: planId, deployed, ...sent } = plan;
      const replay = await client.send('POST', PLANS, sent);
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(await replay.json()).toMatchObject({ planId, requestSha256: sha256Digest(plan.body) });
      expect(await refused(PLANS, { body: bytes, idempotencyKey: freshKey() })).toEqual([
        expect.stringMatching(new RegExp(`^CONTEXT_NOT_CURRENT /contextHash 0x[0-9a-f]{64} ${former}$`)),
      ]);

      const desk = PlanDesk.withKey(stack, credential.key);
      const { steps, continuation } = await desk.until(planId, (one) => isIncluded(stepOf(one, deployed).status));
      expect(continuation).toMatchObject({ kind: 'historical-plan', reason: 'context_superseded' });
      for (const { stepId } of steps.filter((step) => step.stepId !== deployed))
        await desk.send(await desk.offered(planId, stepId));
      const ended = await desk.until(planId, ({ status }) => status === 'finalized');
      const authorized = ended.steps.map(({ authorization }) => authorization);
      expect(authorized).toEqual(steps.map(() => expect.objectContaining({ requestSha256: sha256Digest(plan.body) })));
      expect(authorized[0]).toEqual(stepOf({ ...ended, steps }, deployed).authorization);
      expect((await recordsOf(stack, planId)).decisions).toEqual([
        { kind: 'digest', permitDigest: expect.any(String) },
      ]);
      expect(await publishedRecord(stack.stack, planId)).toMatchObject({ requestKind: 'plan' });
    },
    TEST_MS,
  );
}

/**
 * Restarts custody and admission first and the gateway last, as docs/runbooks/releasing.md says.
 * @returns the hash of the earlier context.
 */
async function publishNewerContext({ dir, restart }: E2eStack): Promise<string> {
  const text = await readFile(path.join(dir, 'custom-launch-context.json'), 'utf8');
  const context = customLaunchContextSchema.parse(JSON.parse(text));
  const { sourceTree } = context.profile.runtimeRelease ?? { sourceTree: '0'.repeat(40) };
  const runtimeRelease = {
    schemaVersion: 'service.multi-role-runtime-release-instance.v2' as const,
    sourceCommit: 'c'.repeat(40),
    sourceTree,
  };
  const CUSTOM_LAUNCH_CONTEXT_FILE = path.join(dir, 'newer-custom-launch-context.json');
  await writeFile(
    CUSTOM_LAUNCH_CONTEXT_FILE,
    canonicalizeJson({ ...context, profile: { ...context.profile, runtimeRelease } }),
  );
  const PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR = path.join(dir, 'filed-custom-launch-contexts');
  await cp(path.join(dir, 'previous-custom-launch-contexts'), PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR, { recursive: true });
  const former = canonicalKeccak(context);
  await writeFile(path.join(PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR, `${former}.json`), text);
  const next = { CUSTOM_LAUNCH_CONTEXT_FILE, PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR };
  await Promise.all([restart('permit-custody', next), restart('admission-worker', next)]);
  await restart('finality-worker', { CUSTOM_LAUNCH_CONTEXT_FILE });
  await restart('api-gateway', { CUSTOM_LAUNCH_CONTEXT_FILE });
  return former;
}
