import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  customLaunchErrorBodySchema,
  customLaunchResourceSchema,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import {
  packOnStack,
  sendFromController,
  CustomLaunchClient,
  type PackedOnStack,
  type ServiceName,
} from '@launch/start';
import { noteCodes } from '@launch/testing';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { runLaunchProgram } from '../fixtures/launch-program.fixture.js';
import { freshKey } from '../fixtures/launch-desk.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { openHistories, recordsOf } from '../fixtures/stack-records.fixture.js';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const POLL_MS = 250;
const PRICE = String(2_500n * 10n ** 8n);
const TEST_MS = 2 * PATIENCE_MS;

/** The worst point for a crash of each service, in the order in which a launch reaches them. */
const POINTS: readonly (readonly [ServiceName, string])[] = [
  ['api-gateway', 'gateway.after-commit'],
  ['admission-worker', 'admission.compile'],
  ['permit-custody', 'custody.after-digest'],
  ['finality-worker', 'finality.after-inclusion'],
];

let stack: E2eStack;
let client: CustomLaunchClient;
let apiKey: string;
/** Both launches are packed before the price moves, because a pack uses the recommendation of the public quote. */
let waits: PackedOnStack;
let survives: PackedOnStack;

const create = ({ bytes, report }: PackedOnStack): Promise<CustomLaunchResource> =>
  client.ask('POST', LAUNCHES, customLaunchResourceSchema, {
    body: bytes,
    idempotencyKey: report.idempotencyKey,
  });

/** Returns the launch once it matches or has ended. */
async function until(
  launchId: string,
  isSo: (resource: CustomLaunchResource) => boolean,
): Promise<CustomLaunchResource> {
  for (;;) {
    const resource = await client.read(launchId);
    if (isSo(resource) || ['action_required', 'failed'].includes(resource.status)) return resource;
    await sleep(POLL_MS);
  }
}

/**
 * Custom launches in trouble: permits that have to wait, and services that are killed. The chapter needs a stack whose
 * price and gates no other suite uses at the same time.
 */
export function customLaunchesInTrouble(stackOf: () => E2eStack): void {
  describe('a custom launch', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
      client = new CustomLaunchClient(stack.stack, apiKey);
      await customLaunchReleaseIsReady(stack);
      [waits, survives] = [await packOnStack(stack.stack, BUNDLES), await packOnStack(stack.stack, BUNDLES)];
    }, PATIENCE_MS);
    waiting();
    killed();
  });
}

function waiting(): void {
  const price = (answer: string): Promise<void> => new ChainFaults(stack).price('1', answer);
  const gate = (state: 'open' | 'closed'): Promise<string> =>
    stack.admin('gates', 'set', 'publicAuthorization', state, '--by', 'custom-launches');

  const statusAndCode = async (response: Response): Promise<readonly [number, string, boolean]> => {
    const { error } = customLaunchErrorBodySchema.parse(await response.json());
    noteCodes(error);
    return [response.status, error.code, error.retryable];
  };
  const preflight = () => client.send('POST', `${LAUNCHES}/preflight`, { body: waits.bytes });

  /** Submits from a launcher's own folder, with the config and the file that it packs to. */
  const submit = async (): Promise<Awaited<ReturnType<typeof runLaunchProgram>>> => {
    const [config, request] = ['config', 'request'].map((name) => path.join(stack.dir, `waits-${name}.json`)) as [
      string,
      string,
    ];
    await writeFile(config, JSON.stringify(waits.config));
    await writeFile(request, waits.bytes);
    return runLaunchProgram(stack, ['submit', request, '--config', config], { SERVICE_API_KEY: apiKey });
  };

  describe('while no permit may be signed', () => {
    afterAll(async () => {
      await price(PRICE);
      await gate('open');
    });

    it(
      'a custom launch stays admitting, reports why, and continues when the feeds answer and the gate is open',
      async () => {
        await price('0');
        // The gateway does not repeat a read within its cache time.
        let unpriced = await preflight();
        for (; unpriced.status === 200; unpriced = await preflight()) await sleep(POLL_MS);
        expect(await statusAndCode(unpriced)).toEqual([503, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED', true]);
        const { launchId } = await create(waits);
        const waitsFor = (reason: string) => until(launchId, ({ statusReason }) => statusReason === reason);
        expect(await waitsFor('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED')).toMatchObject({
          status: 'admitting',
          handoff: null,
        });
        await gate('closed');
        expect(await waitsFor('AUTHORIZATION_CLOSED')).toMatchObject({ status: 'admitting', handoff: null });
        await price(PRICE);
        const send = (idempotencyKey: string) => client.send('POST', LAUNCHES, { body: waits.bytes, idempotencyKey });
        for (const refused of [await preflight(), await send(freshKey())])
          expect(await statusAndCode(refused)).toEqual([503, 'LAUNCH_GATES_CLOSED', false]);
        expect(await submit()).toMatchObject({
          code: 8,
          failure: { exitCode: 8, error: { code: 'LAUNCH_CLI_GATES_CLOSED' } },
        });
        const replay = await send(waits.report.idempotencyKey);
        expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
        expect(customLaunchResourceSchema.parse(await replay.json())).toMatchObject({ launchId, status: 'admitting' });
        await gate('open');
        expect(await until(launchId, ({ handoff }) => handoff !== null)).toMatchObject({
          statusReason: null,
          findings: [],
          handoff: { usdReference: { oneUsdReferenceWei: String(10n ** 26n / BigInt(PRICE)) } },
        });
      },
      TEST_MS,
    );
  });
}

function killed(): void {
  it(
    'A custom launch whose services are each killed at the worst moment is finalized, with one digest and one hand-off.',
    async () => {
      const chains = new ChainFaults(stack);
      // Without a price there is no permit, so no hand-off exists before the gateway must die of it.
      await chains.price('1', '0');
      const kills = await Promise.all(POINTS.map(([service, point]) => stack.killAt(service, point)));
      const [gateway, admission, custody, inclusion] = kills;
      // The gateway dies before it sends the answer; the replay shows that the launch is reserved.
      await create(survives).catch(() => undefined);
      await gateway!.fired();
      await stack.services.up('api-gateway');
      const { launchId } = await create(survives);

      await admission!.fired();
      await until(launchId, ({ statusReason }) => statusReason === 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
      const handingOff = await stack.killAt('api-gateway', 'gateway.after-handoff');
      await chains.price('1', PRICE);
      await Promise.all([custody!.fired(), handingOff.fired()]);
      await stack.services.up('api-gateway');
      const { handoff } = await until(launchId, ({ status }) => status === 'awaiting_wallet_signature');
      if (handoff === null) throw new Error('no hand-off is shown');
      const { permitDigest } = handoff;
      await chains.holdPosting();
      await sendFromController(stack.stack, handoff.walletTransaction);
      await inclusion!.fired();
      const finality = await stack.killAt('finality-worker', 'finality.after-evidence');
      await chains.resumePosting();
      await finality.fired();
      const finalized = await until(launchId, ({ status }) => status === 'finalized');
      expect(finalized).toMatchObject({
        status: 'finalized',
        handoff,
        failure: null,
        publication: { status: 'published' },
      });

      expect(await recordsOf(stack, launchId)).toMatchObject({
        launches: [{ permitDigest }],
        nonceHeld: true,
        decisions: [{ kind: 'digest', permitDigest }],
        signatures: [{ permitDigest }],
        handoffs: [{ permitDigest }],
      });
      const histories = await openHistories(stack);
      try {
        const story = await histories.admission(launchId);
        // Custody died during its first call, so this answer is that of a later one.
        expect(story).toMatchObject({
          result: 'authorized',
          runs: 1,
          completed: { signPermit: 1, recordHandoff: 1 },
        });
      } finally {
        await histories.close();
      }
      expect(await create(survives)).toMatchObject({ launchId, status: 'finalized', handoff });
    },
    TEST_MS,
  );
}
