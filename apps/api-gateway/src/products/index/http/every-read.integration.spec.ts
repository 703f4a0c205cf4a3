import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verificationPathOf } from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { checksummed, sha256Digest, type Hex } from '@launch/contracts/primitives';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, type Answer } from '../../../fixtures/http.client.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { SOURCE_ABIS } from '../domain/source-documents.js';
import { INDEX_VERIFICATION_EXAMPLE } from './coins.examples.js';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly schema?: { readonly pattern?: string } }[];
}

const bound = (seed: number) => ({ address: account(seed), runtimeCodeHash: word(seed) });
const ROUTER = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xabcdef01),
  startBlock: '21000000',
  contracts: {
    poolManager: bound(0xabcdef02),
    custody: bound(0xabcdef03),
    graphFactoryV2: bound(0xabcdef04),
    moduleImplementationV2: bound(0xabcdef05),
    launchAccountV2: bound(0xabcdef06),
  },
});
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xabcdef07) });
const TOKEN = account(0xabcdef08);
const CHECKSUMMED = checksummed(TOKEN);
/** An evidence route is read by the digest of a launch's bundle, which only a published feed has. */
const WITHOUT_EXAMPLE = ['getFinalizedEthereumLaunchEvidence'];

let index: PublishedIndex;
let gateway: Harness;
let operations: (readonly [path: string, operation: Operation])[];
/** Fills the parameters of each operation. */
let requests: Readonly<Record<string, string>>;

beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
  await index.source(ROUTER, { checkpoint: '21000200' });
  await index.source(NATIVE);
  const verificationDigest = await gateway.blobs.put(canonicalizeJson(INDEX_VERIFICATION_EXAMPLE));
  await index.launch(ROUTER, 0xabcdef08, { blockNumber: '21000150', verificationDigest });
  const { json } = await get('/v1/modules/foundation/releases');
  const hex = json.items[0].releaseDigest.slice('sha256:'.length);
  requests = {
    getSourceAbi: `/api/v2/abi/${SOURCE_ABIS[0]!.sha256.slice('sha256:'.length)}.json`,
    getIndexVerification: verificationPathOf(verificationDigest),
    getIndexedLaunch: `/api/indexers/v1/launches/1/${CHECKSUMMED}`,
    getDeveloperLaunch: `/api/v2/launches/1/${CHECKSUMMED}`,
    getModuleFoundation: '/api/module-foundation?chainId=1',
    getChainPresentation: `/api/explore/chain/presentation?token=${CHECKSUMMED}`,
    listChainTrades: `/api/explore/chain/trades?chainId=1&token=${CHECKSUMMED}`,
    getChainProfile: `/api/profile/chain?account=${checksummed(account(0xabcdef09))}`,
    getFoundationAvailability: `/v1/modules/foundation/releases/${hex}/availability`,
  };
  const { json: document } = await get('/openapi.json');
  operations = Object.entries(document.paths as Record<string, { get?: Operation }>).flatMap(([path, item]) =>
    item.get === undefined || WITHOUT_EXAMPLE.includes(item.get.operationId) ? [] : [[path, item.get] as const],
  );
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call(gateway.url + path, { headers });
const isIndexRead = ({ tags, operationId }: Operation): boolean =>
  tags.includes('Coins') || operationId.includes('Foundation') || operationId === 'listFinalizedEthereumLaunches';
const reads = () =>
  operations
    .filter(([, operation]) => isIndexRead(operation))
    .map(([path, { operationId }]) => [operationId, requests[operationId] ?? path] as const);

describe('Every read of the index and of the releases', () => {
  it('has the digest of its body as ETag, and sends nothing to a client that has it', async () => {
    expect(reads().length).toBeGreaterThanOrEqual(15);
    for (const [id, path] of reads()) {
      const answer = await get(path);
      const etag = answer.headers.get('etag');
      expect([id, answer.status, etag]).toEqual([id, 200, `"${sha256Digest(Buffer.from(answer.text))}"`]);
      const again = await get(path, { 'if-none-match': etag! });
      expect([id, again.status, again.text, again.headers.get('etag')]).toEqual([id, 304, '', etag]);
    }
  });

  it('writes addresses with their checksum for the site, and in lowercase elsewhere', async () => {
    let seen = 0;
    for (const [id, path] of reads()) {
      // A verification document has the bytes that were hashed.
      const isHashed = id === 'getIndexVerification';
      const isSite = path.startsWith('/api/') && !path.startsWith('/api/v2/') && !isHashed;
      const addresses = (await get(path)).text.match(/(?<=")0x[0-9a-fA-F]{40}(?=")/g) ?? [];
      const form = (address: string) => (isSite ? checksummed(address as Hex) : address.toLowerCase());
      expect([id, addresses]).toEqual([id, addresses.map(form)]);
      seen += addresses.length;
    }
    expect(seen).toBeGreaterThan(50);
  });

  it('documents each address parameter with a pattern that takes the addresses of the lists', () => {
    const documented = operations.flatMap(([path, { parameters = [] }]) =>
      parameters
        .filter(({ schema }) => schema?.pattern?.includes('{40}') === true)
        .map(({ name, schema }) => [path, name, schema!.pattern!] as const),
    );
    expect(documented.length).toBeGreaterThanOrEqual(5);
    for (const [path, name, pattern] of documented)
      for (const address of [TOKEN, CHECKSUMMED])
        expect([path, name, new RegExp(pattern, 'u').test(address)]).toEqual([path, name, true]);
  });
});
