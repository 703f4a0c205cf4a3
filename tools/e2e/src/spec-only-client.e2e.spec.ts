import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startE2eStack, type E2eStack } from './fixtures/stack.fixture.js';

/*
 * A launcher who has the published interface description and nothing else of the product: Node's own modules, a wallet
 * library, an origin, an API key, and what the service publishes. Only the stack to talk to comes from here.
 */

const BASE = '/v4/chains/4663/multi-role-custom-launches';
const PATIENCE_MS = 300_000;
const ROUTE_ID = 'custom-launch:create:multi-role-v2';
const PROGRAMS = {
  guide: 'guide.md',
  packer: 'request-packer.mjs',
  reference: 'request-packer-reference.json',
  buildManifest: 'request-packer-build.json',
  referenceBuilder: 'reference-builder.mjs',
} as const;

type Json = { readonly [name: string]: any };
interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: Json;
}
interface Packed {
  readonly report: Json;
  readonly bytes: Buffer;
}

const run = promisify(execFile);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The whole client: requests as the description writes them, and the programs it names. */
class SpecClient {
  constructor(
    private readonly origin: string,
    private readonly apiKey: string,
    private readonly folder: string,
  ) {}

  /** @param route an absolute path as the service tells it, or one below the base path. */
  async ask(method: 'GET' | 'POST', route: string, { body, headers = {}, open = false }: { body?: Uint8Array; headers?: Record<string, string>; open?: boolean } = {}): Promise<Told> {
    const response = await fetch(`${this.origin}${route.startsWith('/v4/') ? route : `${BASE}${route}`}`, {
      method,
      redirect: 'error',
      headers: { ...(open ? {} : { authorization: `Bearer ${this.apiKey}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, bytes, json: isJson ? (JSON.parse(bytes.toString()) as Json) : {} };
  }

  /** Capabilities of a deployment that is ready; a client stops at any other. */
  async discover(): Promise<Json> {
    const { status, json, bytes } = await this.ask('GET', '/capabilities', { open: true });
    if (status !== 200 || json['context'] === null || json['readiness'].status === 'unavailable') throw new Error(`not enabled: ${bytes.toString().slice(0, 500)}`);
    await writeFile(this.at('capabilities.json'), bytes);
    return json;
  }

  /** A published file, kept only if bytes, ETag and capabilities name one digest. */
  async download(name: string, descriptor: Json): Promise<Buffer> {
    const { status, headers, bytes } = await this.ask('GET', descriptor['path'], { open: true });
    const digest = `sha256:${sha256(bytes)}`;
    expect([name, status, headers.get('etag'), descriptor['contentSha256'], descriptor['path'], headers.get('content-type')]).toEqual([name, 200, `"${digest}"`, digest, `${BASE}/${name}`, descriptor['mediaType']]);
    await writeFile(this.at(name), bytes);
    return bytes;
  }

  /** reference, fill, pack: offline, by the published programs. */
  async pack(wallet: string): Promise<Packed> {
    const name = randomBytes(4).toString('hex');
    const [inert, config, request] = ['inert', 'config', 'request'].map((kind) => this.at(`${name}-${kind}.json`)) as [string, string, string];
    const now = Math.floor(Date.now() / 1_000);
    await this.program(PROGRAMS.packer, 'reference', '--input', this.at(PROGRAMS.reference), '--case', 'zero', '--out', inert);
    await this.program(PROGRAMS.referenceBuilder, '--input', inert, '--capabilities', this.at('capabilities.json'), '--wallet', wallet, '--nonce', BigInt(`0x${randomBytes(8).toString('hex')}`).toString(), '--valid-after', String(now - 30), '--deadline', String(now + 1_800), '--out', config);
    const report = await this.program(PROGRAMS.packer, 'pack', '--config', config, '--out', request);
    return { report, bytes: await readFile(request) };
  }

  create({ bytes, report }: Packed): Promise<Told> {
    return this.ask('POST', '/', { body: bytes, headers: { 'idempotency-key': report['idempotencyKey'] } });
  }

  /** Reads until the answer is as wanted. @throws Error with the last answer when it never is. */
  async poll(route: string, wanted: (answer: Json) => boolean): Promise<Json> {
    let last = 'no answer';
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(500)) {
      const { status, json, bytes } = await this.ask('GET', route);
      expect([status, route]).toEqual([200, route]);
      if (wanted(json)) return json;
      last = bytes.toString().slice(0, 2_000);
    }
    throw new Error(`${route} stayed ${last}`);
  }

  /** A program as its user runs it: nothing in its environment, one JSON document on its stdout. */
  private async program(name: string, ...args: string[]): Promise<Json> {
    return JSON.parse((await run(process.execPath, [this.at(name), ...args], { env: {} })).stdout) as Json;
  }

  private at(name: string): string {
    return path.join(this.folder, name);
  }
}

/** The controller's wallet: sends the handed-over transaction exactly as it stands. */
async function signAndSend(keyFile: string, rpc: string, transaction: Json): Promise<string> {
  const account = privateKeyToAccount((await readFile(keyFile, 'utf8')).trim() as `0x${string}`);
  expect(account.address.toLowerCase()).toBe(transaction['from']);
  const chain = { id: 4663, name: 'eip155:4663', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 }, rpcUrls: { default: { http: [rpc] } } };
  return createWalletClient({ account, chain, transport: http(rpc) }).sendTransaction({ to: transaction['to'], value: BigInt(transaction['value']), data: transaction['data'] });
}

let stack: E2eStack;
let client: SpecClient;
let folder: string;
beforeAll(async () => {
  stack = await startE2eStack();
  folder = await mkdtemp(path.join(tmpdir(), 'spec-client-'));
  client = new SpecClient(stack.gateway, await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }), folder);
}, PATIENCE_MS);
afterAll(async () => {
  await stack?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}, 60_000);

it('a client written from the description alone takes a launch from discovery to its public record', async () => {
  const { privateKeyFile, address: wallet } = stack.stack.controller!;
  const rpc = stack.stack.rpc['4663'][0] as string;

  // Discovery, and the files of the same deployment revision.
  const { context, documentation, contextCommitments } = await client.discover();
  expect([context.chainId, context.caip2, documentation.requestPackaging.status]).toEqual(['4663', 'eip155:4663', 'published']);
  const files: Record<string, Buffer> = {};
  for (const [entry, name] of Object.entries(PROGRAMS)) files[entry] = await client.download(name, documentation[entry]);
  expect(files['guide']!.toString()).toContain(ROUTE_ID);

  // Packed offline: the report says what the bytes say.
  const packed = await client.pack(wallet);
  const request = JSON.parse(packed.bytes.toString()) as Json;
  const digest = sha256(packed.bytes);
  expect(packed.report).toMatchObject({ schemaVersion: 'service.multi-role-request-pack-report.v2', requestSha256: `sha256:${digest}`, idempotencyKey: `mr-v2-${digest}`, byteLength: packed.bytes.length, productionAuthority: false, walletSigning: false, compilerExecution: 'required-on-server' });
  expect(request).toMatchObject({ schemaVersion: 'service.multi-role-custom-launch-create-request.v2', context, contextCommitments, launchWallet: wallet });

  // Preflight recognises and promises nothing.
  const preflight = await client.ask('POST', '/preflight', { body: packed.bytes });
  expect([preflight.status, preflight.json]).toMatchObject([200, { schemaVersion: 'service.multi-role-custom-launch-preflight.v2', source: { disposition: 'source_supported', findingCodes: [] }, readiness: 'independent-admission-required', permitSigned: false, walletTransactionProduced: false, transactionBroadcast: false }]);
  expect((await client.ask('GET', '/')).json['items']).toEqual([]);

  // Reserved; the Location leads to the hand-off.
  const created = await client.create(packed);
  expect(created.status).toBe(202);
  const location = created.headers.get('location') as string;
  const { launchId } = created.json;
  expect([location, launchId]).toEqual([`${BASE}/${launchId}`, expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
  const admitted = await client.poll(location, (launch) => {
    if (launch['status'] === 'action_required' || launch['status'] === 'failed') throw new Error(JSON.stringify(launch['findings']));
    return launch['wallet'] !== null;
  });
  expect(admitted['sourceAssessment']).toMatchObject({ schemaVersion: 'service.multi-role-source-assessment.v2', disposition: 'source_supported', productionAuthority: false });

  // Bound to this request, this context and these artifacts, and to this wallet and router.
  const { walletTransaction, ...bindings } = admitted['wallet'];
  const { requestSha256, requestHash, contextHash, artifactHash } = packed.report;
  expect(bindings).toMatchObject({ requestSha256, requestHash, contextHash, artifactHash });
  expect([contextHash, admitted['context']]).toEqual([contextCommitments.contextHash, context]);
  expect(walletTransaction).toMatchObject({ from: wallet, to: context.chainBindings.router, chainId: '4663', value: '0', data: expect.stringMatching(/^0x[0-9a-f]{8,}$/) });

  // An exact replay is the same launch with the same transaction.
  const replayed = await client.create(packed);
  expect([replayed.status, replayed.headers.get('location'), replayed.json['launchId'], replayed.json['wallet']]).toEqual([200, location, launchId, admitted['wallet']]);

  // The wallet signs and sends; the hint asserts nothing.
  const transactionHash = await signAndSend(privateKeyFile, rpc, walletTransaction);
  const hint = Buffer.from(JSON.stringify({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash }));
  expect((await client.ask('POST', `/${launchId}/transaction-hints`, { body: hint })).status).toBe(202);
  expect(context.profile.derivedContractFinality).toBeUndefined();
  const finality = await client.poll(`${location}/finality`, ({ state }) => state === 'ethereum_finalized');
  expect(finality).toMatchObject({ schemaVersion: 'service.multi-role-finality-status.v2', launchId, transactionHash, finalizedAt: expect.any(String) });
  const finalized = await client.poll(location, ({ status }) => status === 'finalized');
  expect(finalized).toMatchObject({ launchId, wallet: admitted['wallet'], finality: { state: 'ethereum_finalized' } });

  // The public record, in the feed and by its on-chain id, and the image by its digest.
  const feed = await client.ask('GET', '/finalized?limit=1', { open: true });
  expect([feed.status, feed.json]).toMatchObject([200, { schemaVersion: 'service.multi-role-finalized-metadata-list.v2', items: [{ apiLaunchId: launchId }], nextCursor: null }]);
  const { onchainLaunchId } = feed.json['items'][0];
  const record = await client.ask('GET', `/finalized/${onchainLaunchId}`, { open: true });
  expect([record.status, record.json]).toMatchObject([200, { schemaVersion: 'service.multi-role-finalized-metadata.v2', apiLaunchId: launchId, onchainLaunchId: expect.stringMatching(/^0x[0-9a-f]{64}$/), caip2: 'eip155:4663', sourcePublication: { sourcify: 'not_verified', blockExplorer: 'not_verified' }, indexerPublication: 'not_claimed' }]);
  expect(record.json).toEqual(feed.json['items'][0]);
  const { market, components, image } = record.json;
  expect([market.token, market.hook]).toEqual([components[0].account, components[0].account]);
  expect(components[0]).toEqual({ account: request['graphBundle'].components[0].predictedAddress, roleMask: 3, runtimeCodeHash: expect.any(String), scope: 0, resultIndex: 0 });
  const picture = await client.ask('GET', `/finalized/${onchainLaunchId}/image/${image.sha256.slice('sha256:'.length)}`, { open: true });
  expect([picture.status, `sha256:${sha256(picture.bytes)}`]).toEqual([200, request['projectMetadata'].image.sha256]);

  // A second launch, and the list page by page, newest first.
  const second = await client.create(await client.pack(wallet));
  expect(second.status).toBe(202);
  const first = await client.ask('GET', '/?limit=1');
  expect(first.json['items']).toMatchObject([{ launchId: second.json['launchId'] }]);
  const next = await client.ask('GET', `/?limit=1&cursor=${encodeURIComponent(first.json['nextCursor'])}`);
  expect([next.status, next.json]).toMatchObject([200, { items: [{ launchId, status: 'finalized' }], nextCursor: null }]);

  // Long finished, the same bytes and key still answer with the launch they made.
  const late = await client.create(packed);
  expect([late.status, late.json]).toEqual([200, finalized]);
}, 2 * PATIENCE_MS);
