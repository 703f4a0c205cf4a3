import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  customLaunchListSchema,
  customLaunchPreflightSchema,
  customLaunchResourceSchema,
  type CustomLaunchRequest,
} from '@launch/contracts/custom-launch';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { admitWorkflowId, observeWorkflowId } from '@launch/contracts/orchestration';
import { CHAIN_BASE_PATH, type Hex, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import {
  packOnStack,
  runCustomLaunch,
  CustomLaunchClient,
  type CustomLaunchResult,
  type PackedOnStack,
} from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { noteCodes } from '@launch/testing';
import { readFile } from 'node:fs/promises';
import { DescribedApi } from './fixtures/described-api.fixture.js';
import { workflowsFoundBy } from './fixtures/workflow-list.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const ENDS_WITHIN_MS = 300_000;
const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const BUNDLES = path.resolve(import.meta.dirname, '../../../clients/multi-role/bundles');
const FROZEN_CONTRACT = new URL('../../../libs/contracts/machine/4.1.json', import.meta.url);

let stack: StackAccess;
let client: CustomLaunchClient;
let apiKey: string;
let temporal: TemporalClient;
beforeAll(async () => {
  stack = await useStack('launches');
  apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  client = new CustomLaunchClient(stack.stack, apiKey);
  temporal = await connectTemporal(stack.stack.temporal);
}, STARTS_WITHIN_MS);
afterAll(() => temporal?.close());

describe('a custom launch through the real parts', () => {
  let workDir: string;
  let result: CustomLaunchResult;
  const stages: string[] = [];
  beforeAll(async () => {
    workDir = await mkdtemp(path.join(stack.dir, 'v4-'));
    result = await runCustomLaunch({
      stack: stack.stack,
      bundles: BUNDLES,
      workDir: path.join(workDir, 'launch'),
      apiKey,
      onStage: (stage) => stages.push(stage),
      timeoutMs: ENDS_WITHIN_MS,
    });
  }, STARTS_WITHIN_MS + ENDS_WITHIN_MS);

  it('goes from its packed bytes to its record in the public feed, although no client names its transaction', async () => {
    expect(stages).toEqual([
      'packed',
      'preflighted',
      'reserved',
      'authorized',
      'sent',
      'included',
      'posted to Ethereum',
      'finalized',
      'read from the public feed',
    ]);
    const { resource, record, launchId } = result;
    expect(resource).toMatchObject({
      launchId,
      profile: '4.1.0',
      status: 'finalized',
      finality: { stage: 'ethereum_finalized' },
      sourceVerification: { status: 'verified' },
      publication: { status: 'published' },
      failure: null,
    });
    expect(resource.transactions.map(({ transactionHash, status }) => [transactionHash, status])).toEqual([
      [record.onchain.transactionHash, 'included'],
    ]);
    const evidence = await fetch(`${stack.gateway}${record.evidence.path}`);
    expect([evidence.status, sha256Digest(new Uint8Array(await evidence.arrayBuffer()))]).toEqual([
      200,
      record.evidence.sha256,
    ]);
  });

  it('stays one launch for its key and its bytes in every state, and never becomes a multi-role launch', async () => {
    const body = await readFile(path.join(workDir, 'launch', 'request.json'));
    const idempotencyKey = `v4-${sha256Digest(body).slice('sha256:'.length)}`;
    const replay = await client.send('POST', LAUNCHES, { body, idempotencyKey });
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(customLaunchResourceSchema.parse(await replay.json())).toEqual(result.resource);
    const other = await client.send('POST', LAUNCHES, {
      body: Buffer.concat([body, Buffer.from(' ')]),
      idempotencyKey,
    });
    expect(await statusAndCode(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const { items } = await client.ask('GET', LAUNCHES, customLaunchListSchema);
    expect(items.map(({ launchId }) => launchId)).toContain(result.launchId);
    expect(await statusAndCode(await client.send('GET', `${MULTI_ROLE_BASE_PATH}/${result.launchId}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it(
    'is found at the Temporal server by its id, its controller, its stage and its family',
    async () => {
      const { launchId } = result;
      const both = [admitWorkflowId(launchId), observeWorkflowId(launchId)];
      const [admission, observation] = both as [string, string];
      const found = (query: string, workflowIds: readonly string[]) => workflowsFoundBy(temporal, query, workflowIds);
      expect(await found(`LaunchId = '${launchId}'`, both)).toEqual(both);
      const own = `LaunchController = '${stack.controller}'`;
      expect(await found(own, both)).toEqual(expect.arrayContaining(both));
      expect(await found(`LaunchStage = 'authorized' AND ${own}`, [admission])).toEqual([admission]);
      expect(await found(`LaunchStage = 'finalized' AND ${own}`, [observation])).toEqual([observation]);
      expect(await found(`LaunchFamily = 'custom-launch.v4' AND LaunchId = '${launchId}'`, both)).toEqual(both);
      expect(await found(`LaunchFamily = 'multi-role.v2' AND ${own}`, [])).toEqual([]);
    },
    ENDS_WITHIN_MS,
  );

  it('is answered at every stage as the frozen machine contract states, and its request matches it', async () => {
    const contract = new DescribedApi(JSON.parse(await readFile(FROZEN_CONTRACT, 'utf8')));
    const body = await readFile(path.join(workDir, 'launch', 'request.json'));
    const request = parseStrictJson(body) as object;
    expect(contract.request(LAUNCHES, request)).toEqual([]);
    expect(contract.request(LAUNCHES, { ...request, unknown: true })).not.toEqual([]);

    const idempotencyKey = `v4-${sha256Digest(body).slice('sha256:'.length)}`;
    const asked = (method: 'GET' | 'POST', route: string, sent = {}) =>
      client.send(method, route, sent).then((response) => ({ method, route, response }));
    const answers = await Promise.all([
      ...['launch-coverage', 'launch-guide', 'capabilities', 'readiness', 'initial-buy-quote'].map((report) =>
        asked('GET', `${CHAIN_BASE_PATH}/${report}`),
      ),
      asked('GET', `${CHAIN_BASE_PATH}/finalized-custom-launches`),
      asked('GET', LAUNCHES),
      asked('GET', `${LAUNCHES}/${result.launchId}`),
      asked('GET', `${LAUNCHES}/${randomUUID()}`),
      asked('POST', `${LAUNCHES}/preflight`, { body }),
      asked('POST', LAUNCHES, { body, idempotencyKey }),
      asked('POST', LAUNCHES, { body: Buffer.from('{}'), idempotencyKey: `e2e-${randomUUID()}` }),
    ]);
    expect(answers.map(({ response }) => response.status)).toEqual([...Array<number>(8).fill(200), 404, 200, 200, 422]);
    for (const { method, route, response } of answers) {
      const wrong = contract.answer(method, route, response.status, await response.json());
      expect([route, wrong]).toEqual([route, []]);
    }
  });
});

const statusAndCode = async (response: Response): Promise<readonly [number, string | undefined]> => {
  const body = (await response.json()) as { readonly error?: { readonly code: string } };
  noteCodes(body);
  return [response.status, body.error?.code];
};

describe('an invalid request', () => {
  let packed: PackedOnStack;
  beforeAll(async () => {
    packed = await packOnStack(stack.stack, BUNDLES);
  });
  const changed = (change: (request: CustomLaunchRequest) => void): Uint8Array => {
    const request = parseStrictJson(packed.bytes) as unknown as CustomLaunchRequest;
    change(request);
    return canonicalizeJson(request);
  };
  const buyOf = (request: CustomLaunchRequest, wei: bigint): void => {
    Object.assign(request.funding, {
      initialBuyWei: String(wei),
      totalValueWei: String(wei),
      platformFeeWei: String((wei * 20n) / 10_000n),
    });
  };

  const RUNTIME = '/graphBundle/components/1/expectedRuntimeCode';
  const runtimeOf = (code: Hex) => (request: CustomLaunchRequest) =>
    Object.assign(request.graphBundle.components[1]!, {
      expectedRuntimeCode: code,
      expectedRuntimeCodeHash: keccak256Hex(Buffer.from(code.slice(2), 'hex')),
    });

  it.each<[string, (request: CustomLaunchRequest) => void, string, string]>([
    [
      'a checkpoint that no observer has',
      (request) => (request.checkpoint.blockHash = `0x${'0'.repeat(64)}`),
      'CHECKPOINT_STALE',
      '/checkpoint',
    ],
    [
      'a buy below one dollar',
      (request) => buyOf(request, 1n),
      'CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE',
      '/funding/initialBuyWei',
    ],
    [
      'a value above its budget',
      (request) => (request.budgets.maxLaunchValueWei = '1'),
      'BUDGET_EXCEEDED',
      '/budgets/maxLaunchValueWei',
    ],
    [
      'another context',
      (request) => (request.contextHash = `0x${'1'.repeat(64)}`),
      'CONTEXT_NOT_CURRENT',
      '/contextHash',
    ],
    ['a forbidden instruction', runtimeOf('0xff'), 'RUNTIME_OPCODE_FORBIDDEN', RUNTIME],
    ['a mode that no policy knows', runtimeOf('0xef00'), 'RUNTIME_MODE_UNSUPPORTED', RUNTIME],
    [
      'another name than the bytecode carries',
      (request) => (request.projectMetadata.name = 'Another'),
      'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION',
      '/projectMetadata/name',
    ],
  ])(
    'is reported by preflight at its place for %s',
    async (_what, change, code, place) => {
      const { launchEligibility } = await client.ask('POST', `${LAUNCHES}/preflight`, customLaunchPreflightSchema, {
        body: changed(change),
      });
      noteCodes(launchEligibility);
      expect(launchEligibility).toMatchObject({ deployable: false, disposition: 'correction_required' });
      expect(launchEligibility.findings.map((finding) => `${finding.code} ${finding.path}`)).toContain(
        `${code} ${place}`,
      );
    },
    ENDS_WITHIN_MS,
  );
});
