import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PATIENCE_MS, sha256, type Json } from './fixtures/spec-client.fixture.js';
import {
  LAUNCHES,
  PLANS,
  CustomLaunchSpecClient,
  type ResponseVersion,
} from './fixtures/custom-launch-spec-client.fixture.js';
import { SpecWallet } from './fixtures/custom-launch-spec-wallet.fixture.js';
import { useStack } from './stacks/use-stack.js';

const BATCH_ACCOUNT = new URL('../../../solidity/artifacts/devnet/BatchAccount.json', import.meta.url);
/** The names that the description gives, and the start of a launch. */
const STATES = [
  'admitting',
  'authorized',
  'awaiting_wallet_signature',
  'wallet_action_required',
  'submitted',
  'sequencer_soft_confirmed',
  'ethereum_posted',
  'finalized',
];
const VERSIONS: readonly ResponseVersion[] = ['1.0', '1.1', '1.2'];

interface Launcher {
  readonly client: CustomLaunchSpecClient;
  readonly wallet: SpecWallet;
  readonly address: string;
  /** The values of the published context. */
  readonly router: string;
}

/** A launcher with a wallet and a key of its own, which uses only texts of the product. */
async function launcher(): Promise<Launcher> {
  const { stack, gateway, dir, controller, issueKey } = await useStack('launches');
  const apiKey = await issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  const client = new CustomLaunchSpecClient(gateway, apiKey, await mkdtemp(path.join(dir, 'spec-client-')));
  const { creationCode } = JSON.parse(await readFile(BATCH_ACCOUNT, 'utf8')) as {
    readonly creationCode: `0x${string}`;
  };
  const wallet = new SpecWallet(stack.controller!.privateKeyFile, stack.rpc['4663'][0] as string, creationCode);
  const { context, recipe } = await client.discover();
  expect([context['caip2'], recipe]).toEqual(['eip155:4663', 'proof-available']);
  const { json: credential } = await client.ask('GET', '/v4/chains/4663/custom-launch-credentials/me');
  expect(credential).toMatchObject({ scopes: ['custom-launch:create', 'custom-launch:read'], chainGrants: ['4663'] });
  expect(JSON.stringify(credential)).toContain(controller);
  return { client, wallet, address: controller, router: context['chainBindings'].router };
}

const isInTime = ({ validAfter, deadline }: Json): boolean =>
  BigInt(validAfter) * 1_000n <= BigInt(Date.now()) && BigInt(Date.now()) < BigInt(deadline) * 1_000n;

/**
 * Checks that the launch is finalized and one record of the feed, that its stamp is on chain, and that its evidence
 * has the named digest.
 */
async function expectRecord({ client, wallet, router }: Launcher, id: string, requestKind: string): Promise<Json> {
  const record = await client.published(id);
  expect(record).toMatchObject({
    requestKind,
    projectMetadata: { token: { name: 'Described', symbol: 'DESC' } },
    onchain: { router, terminal: true, checkpointType: 'ethereum_finalized' },
    sourceVerification: { status: 'exact_match' },
  });
  await wallet.expectStamp(record);
  const { bytes } = await client.read(record['evidence'].path);
  expect(`sha256:${sha256(bytes)}`).toBe(record['evidence'].sha256);
  return record;
}

async function runCustomLaunch(one: Launcher): Promise<void> {
  const { client, wallet, address, router } = one;
  const { bytes, report } = await client.pack(address);
  const request = JSON.parse(bytes.toString()) as Json;
  const requestSha256 = `sha256:${sha256(bytes)}`;
  expect(report['requestSha256']).toBe(requestSha256);
  const preflight = await client.ask('POST', `${LAUNCHES}/preflight`, { body: bytes });
  expect([preflight.status, preflight.json]).toMatchObject([
    200,
    {
      requestSha256,
      launchEligibility: { deployable: true, findings: [] },
      warnings: [{ code: 'TX_SIMULATION_PENDING' }],
      persisted: false,
    },
  ]);
  expect((await client.ask('GET', LAUNCHES)).json['items']).toEqual([]);

  const key = `spec-only-${randomUUID()}`;
  const created = await client.ask('POST', LAUNCHES, { body: bytes, key });
  expect([created.status, created.json['status']]).toEqual([202, 'admitting']);
  const { launchId } = created.json;
  expect([launchId, created.headers.get('x-request-id')]).not.toContain(created.json['onchainLaunchId']);
  const replay = await client.ask('POST', LAUNCHES, { body: bytes, key });
  expect([replay.status, replay.json['launchId']]).toEqual([200, launchId]);
  const other = await client.ask('POST', LAUNCHES, { body: Buffer.concat([bytes, Buffer.from('\n')]), key });
  expect([other.status, other.json['error'].code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);

  const route = `${LAUNCHES}/${launchId}`;
  const admitted = await client.poll(route, ({ status }) => status === 'awaiting_wallet_signature');
  const { handoff } = admitted.answer as Json;
  expect(handoff).toMatchObject({
    requestSha256,
    metadata: { name: 'Described', symbol: 'DESC', imageSha256: request['projectMetadata'].image.sha256 },
    walletTransaction: {
      chainId: '4663',
      from: address,
      to: router,
      value: request['funding'].totalValueWei,
      data: expect.stringMatching(/^0x[0-9a-f]{8,}$/),
    },
  });
  expect(isInTime(handoff)).toBe(true);
  const transactionHash = await wallet.send(handoff.walletTransaction);
  const { answer: finalized, seen } = await client.poll(route, ({ status }) => status === 'finalized');
  for (const status of [...admitted.seen, ...seen]) expect(STATES).toContain(status);
  expect(finalized).toMatchObject({ handoff, finality: { stage: 'ethereum_finalized' }, failure: null });
  const record = await expectRecord(one, launchId, 'launch');
  expect(record['onchain']).toMatchObject({ transactionHash, routerLaunchId: finalized['onchainLaunchId'] });
  const late = await client.ask('POST', LAUNCHES, { body: bytes, key });
  expect([late.status, late.json['status'], late.json['handoff']]).toEqual([200, 'finalized', handoff]);
}

/**
 * Checks preflight, reservation and replay, the route that the answer names for polling, and the order of the steps.
 */
async function reservePlan(
  { client }: Launcher,
  bytes: Buffer,
  version?: ResponseVersion,
): Promise<{ readonly planId: string; readonly resumeUrl: string; readonly stepIds: readonly string[] }> {
  const preflight = await client.ask('POST', `${PLANS}:preflight`, { body: bytes });
  expect([preflight.status, preflight.json]).toMatchObject([
    200,
    { launchEligibility: { deployable: true }, findings: [], persisted: false },
  ]);
  expect((await client.ask('GET', PLANS, { version: '1.2' })).json['items']).toEqual([]);
  const sent = { body: bytes, key: `spec-only-${randomUUID()}`, ...(version === undefined ? {} : { version }) };
  const created = await client.ask('POST', PLANS, sent);
  expect(created.status).toBe(202);
  const { planId, resumeUrl } = created.json;
  const replay = await client.ask('POST', PLANS, sent);
  expect([replay.status, replay.json['planId'], replay.json['resumeUrl']]).toEqual([200, planId, resumeUrl]);
  const other = await client.ask('POST', PLANS, { ...sent, body: Buffer.concat([bytes, Buffer.from('\n')]) });
  expect([other.status, other.json['errors'][0].code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  const stepIds = preflight.json['steps'].map(({ stepId }: Json) => stepId);
  return { planId, resumeUrl, stepIds };
}

const stepOf = (plan: Json, stepId: string): Json => plan['steps'].find((step: Json) => step['stepId'] === stepId);

async function nameTransaction({ client }: Launcher, planId: string, stepId: string, hash: string): Promise<void> {
  const schemaVersion = 'service.custom-launch-plan-step-proof.v1';
  const body = Buffer.from(JSON.stringify({ schemaVersion, transactionHash: hash }));
  const proof = { body, key: `spec-only-${randomUUID()}` };
  const answers = [];
  for (let time = 0; time < 2; time += 1)
    answers.push(await client.ask('POST', `${PLANS}/${planId}/steps/${stepId}/proofs`, proof));
  expect(answers.map(({ status, json }) => [status, json['planId']])).toEqual([
    [202, planId],
    [200, planId],
  ]);
}

async function sendSequentialPlan(one: Launcher): Promise<void> {
  const { client, wallet, address, router } = one;
  const { bytes } = await client.pack(address, 'sequential');
  // Without the header the answer has the default version.
  const { planId, resumeUrl, stepIds } = await reservePlan(one, bytes);
  expect(stepIds.length).toBeGreaterThan(1);
  const sent: string[] = [];
  for (const stepId of stepIds) {
    const { answer } = await client.poll(resumeUrl, (plan) => stepOf(plan, stepId)['status'] === 'awaiting_signature');
    const { authorization } = stepOf(answer, stepId);
    expect(authorization).toMatchObject({
      form: 'transaction.v1',
      chainId: '4663',
      from: address,
      to: router,
      requestSha256: `sha256:${sha256(bytes)}`,
    });
    expect(isInTime(authorization)).toBe(true);
    const { transactionHash, send } = await wallet.sign(authorization);
    // One step gets a hint before its transaction is visible; the others need none.
    if (stepId === stepIds.at(-1)) await nameTransaction(one, planId, stepId, transactionHash);
    expect(await send()).toBe(transactionHash);
    sent.push(transactionHash);
  }

  const { answer: plan } = await client.poll(resumeUrl, ({ status }) => status === 'finalized', '1.2');
  expect(plan['steps'].map(({ status, finality }: Json) => [status, finality.stage])).toEqual(
    stepIds.map(() => ['finalized', 'ethereum_finalized']),
  );
  const read = await Promise.all(
    VERSIONS.map(async (version) => (await client.ask('GET', `${PLANS}/${planId}`, { version })).json),
  );
  const authorizations = read.map(({ steps }) => steps.map(({ authorization }: Json) => authorization));
  expect(authorizations).toEqual([authorizations[0], authorizations[0], authorizations[0]]);
  const record = await expectRecord(one, planId, 'plan');
  expect(record['onchain'].transactionHash).toBe(sent.at(-1));
}

async function sendAtomicPlan(one: Launcher): Promise<void> {
  const { client, wallet, address, router } = one;
  const { bytes } = await client.pack(address, 'atomic');
  const { planId, resumeUrl, stepIds } = await reservePlan(one, bytes, '1.2');
  const [stepId] = stepIds as [string];
  expect(stepIds).toHaveLength(1);
  for (const version of ['1.0', '1.1'] as const) {
    expect((await client.ask('GET', resumeUrl, { version })).status).toBe(422);
    expect((await client.ask('GET', PLANS, { version })).json['items']).toEqual([]);
  }
  expect((await client.ask('GET', `${PLANS}?limit=1`, { version: '1.2' })).json['items']).toMatchObject([{ planId }]);

  const offered = await client.poll(
    resumeUrl,
    (plan) => stepOf(plan, stepId)['status'] === 'awaiting_signature',
    '1.2',
  );
  const { authorization } = stepOf(offered.answer, stepId);
  expect(authorization).toMatchObject({
    form: 'atomic.v1',
    atomicRequired: true,
    capabilities: { [`0x${(4663).toString(16)}`]: { atomic: { status: 'supported' } } },
  });
  expect(new Set(authorization.calls.map(({ to }: Json) => to))).toEqual(new Set([router]));
  expect(isInTime(authorization)).toBe(true);
  const transactionHash = await wallet.sendCalls(authorization.calls);
  await client.poll(resumeUrl, ({ status }) => status === 'finalized', '1.2');
  const record = await expectRecord(one, planId, 'plan');
  expect(record['onchain'].transactionHash).toBe(transactionHash);
}

describe('a client written from the description alone', () => {
  const WAYS = {
    'a custom launch': runCustomLaunch,
    'a sequential plan': sendSequentialPlan,
    'an atomic plan': sendAtomicPlan,
  } as const;
  const runs = new Map<string, Promise<void>>();
  // The cases run in parallel, each with a wallet of its own.
  beforeAll(() => {
    for (const [what, way] of Object.entries(WAYS)) {
      const running = launcher().then(way);
      running.catch(() => undefined);
      runs.set(what, running);
    }
  });

  it.each(Object.keys(WAYS))(
    'takes %s from discovery to its finalized public record',
    async (what) => {
      await runs.get(what);
    },
    3 * PATIENCE_MS,
  );
});
