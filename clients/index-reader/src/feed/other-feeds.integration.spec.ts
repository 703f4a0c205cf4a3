import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ethereumEvidencePath } from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { IDENTITIES_EXAMPLE } from '../../../../apps/api-gateway/src/products/index/http/coins.examples.js';
import { ETHEREUM_FEED_EXAMPLE } from '../../../../apps/api-gateway/src/products/index/http/ethereum-feed.example.js';
import { FEED_PAGE_EXAMPLE } from '../../../../apps/api-gateway/src/products/multi-role/http/finalized.examples.js';
import { contentDigestOf, publicHalfOf, signAnswer } from '../../../../libs/http/src/signatures/message-signature.js';
import { runIndexReader } from '../command/run-index-reader.js';

const { privateKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [publicHalfOf(privateKey)] };
const CURSOR = 'Y3Vyc29y+/=&1';

/** Returns the image of a record as a record of another launch names it. */
const imageOf = ({ onchainLaunchId, image }: any, other: string) => ({
  ...image,
  path: image.path.replace(onchainLaunchId, other),
});

/** The answers of a service by target. Each is signed as it is; `bend` changes the bytes after signing. */
interface Said {
  v3: any[];
  multiRole: any[];
  identities: any;
  keys: any;
  bend: (headers: Record<string, string>, body: Buffer) => Buffer;
}
function honest(): Said {
  const [item] = ETHEREUM_FEED_EXAMPLE.items as any[];
  const routerLaunchId = `0x${'9'.repeat(64)}` as const;
  const another = {
    ...item,
    onchain: { ...item.onchain, routerLaunchId },
    evidence: { ...item.evidence, path: ethereumEvidencePath(routerLaunchId, item.evidence.sha256) },
  };
  const counted = { sourceRowCount: 2, publishedRowCount: 2, quarantinedRowCount: 0 };
  const v3 = {
    ...ETHEREUM_FEED_EXAMPLE,
    ...counted,
    dataset: { ...ETHEREUM_FEED_EXAMPLE.dataset, ...counted },
    quality: { status: 'ready', reasons: [] },
  };
  const [record] = FEED_PAGE_EXAMPLE.items as any[];
  const multiRole = (items: any[], nextCursor: string | null) => ({ ...FEED_PAGE_EXAMPLE, items, nextCursor });
  return JSON.parse(
    JSON.stringify({
      v3: [
        { ...v3, items: [item], nextCursor: CURSOR },
        { ...v3, items: [another], nextCursor: null },
      ],
      multiRole: [
        multiRole([record], CURSOR),
        multiRole([{ ...record, onchainLaunchId: routerLaunchId, image: imageOf(record, routerLaunchId) }], null),
      ],
      identities: IDENTITIES_EXAMPLE,
      keys: KEYS,
    } satisfies Omit<Said, 'bend'>),
  ) as Said;
}

let server: Server | undefined;
afterEach(async () => {
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

async function serve(said: Said): Promise<string> {
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://here');
    const page = url.searchParams.get('cursor') === null ? 0 : 1;
    const value = url.pathname.startsWith('/v3/')
      ? said.v3[page]
      : url.pathname.startsWith('/v4/')
        ? said.multiRole[page]
        : url.pathname.startsWith('/api/')
          ? said.identities
          : said.keys;
    const body = Buffer.from(canonicalizeJson(value));
    const contentType = 'application/json; charset=utf-8';
    const contentDigest = contentDigestOf(body);
    const place = { path: url.pathname, query: url.search === '' ? '?' : url.search };
    const signed = signAnswer(
      { status: 200, contentType, contentDigest, ...place },
      { key: privateKey, keyId: publicHalfOf(privateKey).kid, created: 1 },
    );
    const headers = {
      'content-type': contentType,
      'content-digest': contentDigest,
      'signature-input': signed.signatureInput,
      signature: signed.signature,
    };
    const sent = said.bend?.(headers, body) ?? body;
    response.writeHead(200, { ...headers, connection: 'close' });
    response.end(sent);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function feed(
  name: string,
  lie: (said: Said) => void = () => undefined,
  argv: readonly string[] = ['--page-size', '1'],
) {
  const said = honest();
  lie(said);
  const origin = await serve(said);
  const { exitCode, stdout } = await runIndexReader(
    ['feed', '--feed', name, '--api-origin', origin, '--keys-origin', origin, '--json', ...argv],
    {},
  );
  const { records, ...reading } = JSON.parse(stdout);
  return { exitCode, reading, count: records?.length ?? reading.snapshot?.count };
}
const counters = (page: any, counted: object): void => {
  Object.assign(page, counted);
  Object.assign(page.dataset, counted);
};

describe('a signed feed', () => {
  it.each([
    ['v3', 2],
    ['multi-role', 2],
    ['identities', 1],
  ])('%s is read whole', async (name, count) => {
    expect(await feed(name)).toMatchObject({ exitCode: 0, reading: { availability: 'AVAILABLE' }, count });
  });
});

describe('a lying service has no feed', () => {
  const lies: readonly [string, string, string, (said: Said) => void][] = [
    ['v3', 'mixed counters', 'COUNTERS_MIXED', ({ v3 }) => (v3[1].dataset.sourceRowCount = 3)],
    [
      'v3',
      'one held back',
      'RECORDS_QUARANTINED',
      ({ v3 }) => counters(v3[1], { sourceRowCount: 3, quarantinedRowCount: 1 }),
    ],
    [
      'v3',
      'counters that move',
      'COUNTERS_MOVED',
      ({ v3 }) => counters(v3[1], { sourceRowCount: 3, publishedRowCount: 3 }),
    ],
    ['v3', 'a repeated cursor', 'CURSOR_REPEATED', ({ v3 }) => ((v3[1].nextCursor = CURSOR), (v3[1].items = []))],
    [
      'v3',
      'not ready',
      'FEED_NOT_READY',
      ({ v3 }) => (v3[0].quality = { status: 'not_ready', reasons: ['INDEX_STALE'] }),
    ],
    ['v3', 'a place of evidence elsewhere', 'PAGE_INVALID', ({ v3 }) => (v3[1].items[0].evidence.path = '//e.example')],
    [
      'v3',
      'a launch above its checkpoint',
      'PAGE_INVALID',
      ({ v3 }) => (v3[1].items[0].onchain.ethereumFinalized.blockNumber = '1'),
    ],
    ['v3', 'another chain', 'PAGE_INVALID', ({ v3 }) => (v3[1].items[0].chainId = 4663)],
    ['v3', 'one left out', 'RECORDS_MISCOUNTED', ({ v3 }) => (v3[1].items = [])],
    ['multi-role', 'a repeated cursor', 'CURSOR_REPEATED', ({ multiRole }) => (multiRole[1].nextCursor = CURSOR)],
    [
      'multi-role',
      'an image elsewhere',
      'PAGE_INVALID',
      ({ multiRole }) => (multiRole[1].items[0].image.path = '//e.example'),
    ],
    [
      'multi-role',
      'the id of another pool',
      'PAGE_INVALID',
      ({ multiRole }) => (multiRole[0].items[0].market.poolId = `0x${'9'.repeat(64)}`),
    ],
    ['multi-role', 'another chain', 'PAGE_INVALID', ({ multiRole }) => (multiRole[0].items[0].caip2 = 'eip155:1')],
    ['multi-role', 'one twice', 'RECORDS_MISCOUNTED', ({ multiRole }) => (multiRole[1].items = multiRole[0].items)],
    ['identities', 'one too few', 'RECORDS_MISCOUNTED', ({ identities }) => (identities.count = 2)],
    ['identities', 'above its checkpoint', 'PAGE_INVALID', ({ identities }) => (identities.checkpoint.number = '1')],
    [
      'identities',
      'no router of it',
      'PAGE_INVALID',
      ({ identities }) => (identities.identities[0].routerAddress = identities.identities[0].poolManager),
    ],
    ['identities', 'another thumbprint', 'KEYS_INVALID', ({ keys }) => (keys.keys[0].kid = 'A'.repeat(43))],
  ];
  it.each(lies)('%s: %s (%s)', async (name, _what, reason, lie) => {
    expect(await feed(name, lie)).toMatchObject({ exitCode: 4, reading: { availability: 'UNAVAILABLE', reason } });
  });

  const bent: readonly [string, string, Said['bend']][] = [
    ['changes a byte', 'DIGEST_DIFFERS', (_, body) => Buffer.from(body.toString().replace('{', '{ '))],
    [
      'changes a byte and its digest',
      'SIGNATURE_INVALID',
      (headers, body) => {
        const other = Buffer.from(body.toString().replace('{', '{ '));
        headers['content-digest'] = contentDigestOf(other);
        return other;
      },
    ],
    ['drops the signature', 'SIGNATURE_INVALID', (headers, body) => (delete headers['signature'], body)],
    [
      'covers less, and has the key',
      'SIGNATURE_INVALID',
      (headers, body) => {
        const { kid } = publicHalfOf(privateKey);
        const parameters = `("content-digest");created=1;keyid="${kid}";alg="ed25519";tag="service-answer-v1"`;
        const base = `"content-digest": ${headers['content-digest']}\n"@signature-params": ${parameters}`;
        headers['signature-input'] = `service=${parameters}`;
        headers['signature'] = `service=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`;
        return body;
      },
    ],
    [
      'gives the answer to another place',
      'SIGNATURE_INVALID',
      (headers, body) => {
        const answer = {
          status: 200,
          contentType: headers['content-type']!,
          contentDigest: headers['content-digest']!,
        } as const;
        const by = { key: privateKey, keyId: publicHalfOf(privateKey).kid, created: 1 };
        const signed = signAnswer({ ...answer, path: '/elsewhere', query: '?' }, by);
        Object.assign(headers, { 'signature-input': signed.signatureInput, signature: signed.signature });
        return body;
      },
    ],
  ];
  it.each(bent)('a mirror that %s (%s)', async (_what, reason, bend) => {
    const onPages: Said['bend'] = (headers, body) => (body.includes('"kty"') ? body : bend(headers, body));
    for (const name of ['v3', 'multi-role', 'identities'])
      expect(await feed(name, (said) => (said.bend = onPages))).toMatchObject({
        exitCode: 3,
        reading: { availability: 'UNAVAILABLE', reason },
      });
  });
});

describe('a command that cannot be used', () => {
  const run = async (argv: readonly string[], environment: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await runIndexReader(argv, environment);
    return [exitCode, stdout, JSON.parse(stderr).code, JSON.parse(stderr).path];
  };
  const COIN = ['coin', '--api-origin', 'https://a.example', '--chain-id', '1', '--token', `0x${'0'.repeat(39)}1`];
  it.each([
    [[], 'ARGUMENTS_INVALID', ''],
    [['coins'], 'ARGUMENTS_INVALID', ''],
    [[...COIN, '--rpc', 'https://key.example'], 'ARGUMENTS_INVALID', ''],
    [COIN.with(4, '5'), 'ARGUMENTS_INVALID', '--chain-id'],
    [COIN.with(6, '0x12'), 'ARGUMENTS_INVALID', '--token'],
    [['verify', ...COIN.slice(1, 5), '--transaction', '0x12'], 'ARGUMENTS_INVALID', '--transaction'],
    [['feed', '--api-origin', 'https://a.example', '--feed', 'v5'], 'ARGUMENTS_INVALID', '--feed'],
    [
      ['feed', '--api-origin', 'https://a.example', '--feed', 'v3', '--page-size', '26'],
      'ARGUMENTS_INVALID',
      '--page-size',
    ],
    [['feed', '--api-origin', 'http://a.example', '--feed', 'v3'], 'ORIGIN_UNUSABLE', null],
    [COIN, 'ARGUMENTS_INVALID', 'RPC_1_URLS'],
  ])('ends with 2, and names the place: %j (%s %s)', async (argv, code, place) => {
    expect(await run(argv)).toEqual([2, '', code, place]);
  });

  it.each([
    ['on one host', 'a=https://node.example/key1,b=https://node.example:8443/key2'],
    ['of which one uses plain HTTP', 'a=http://node.example/key1,b=https://other.example/key2'],
  ])('for two endpoints %s, and does not repeat them', async (_what, urls) => {
    const { exitCode, stderr } = await runIndexReader(COIN, { RPC_1_URLS: urls });
    expect([exitCode, JSON.parse(stderr).code]).toEqual([2, 'RPC_CONFIGURATION_INVALID']);
    expect(stderr).not.toContain('key1');
  });
});
