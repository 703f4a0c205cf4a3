import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  CUSTOM_LAUNCH_FEED_PATH,
  customLaunchEvidencePath,
  type CustomLaunchFinalizedList,
} from '@launch/contracts/custom-launch';
import { LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CUSTOM_FEED_EXAMPLE } from '../../../../apps/api-gateway/src/products/custom-launch/http/custom-launch-feed.example.js';
import { readFinalizedFeed } from './read-finalized-feed.js';

const CONTRACT = readFileSync(path.resolve(import.meta.dirname, '../../../../libs/contracts/machine/4.1.json'));
const READINESS = '/v4/chains/4663/readiness';
const CONTRACT_AT = '/v4/machine-contracts/4.1';
const [RECORD] = CUSTOM_FEED_EXAMPLE.items;
const CURSORS = ['Y3Vyc29y+/=&1', 'Y3Vyc29y+/=&2'];

const recordOf = (n: number) => {
  const launchId = `7d0c2f6e-41a3-4d5b-9a57-2c8f3b9e6a1${n}`;
  const { sha256 } = RECORD!.evidence;
  return { ...RECORD!, launchId, evidence: { sha256, path: customLaunchEvidencePath(launchId, sha256) } };
};
/** A ready page of `published` records, as the service writes it. */
function pageOf(published: number, records: readonly number[], nextCursor: string | null): CustomLaunchFinalizedList {
  const counted = { sourceRowCount: published, publishedRowCount: published, quarantinedRowCount: 0 };
  return structuredClone({
    ...CUSTOM_FEED_EXAMPLE,
    ...counted,
    dataset: { ...CUSTOM_FEED_EXAMPLE.dataset, ...counted },
    items: records.map(recordOf),
    nextCursor,
  });
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null for an answer that never ends. */
  readonly body: string | Uint8Array | null;
}
const json = (value: unknown): Answer => ({ body: JSON.stringify(value) });

/** The answers of the service: three records on three pages. A lie changes one of them. */
interface Said {
  readiness: Record<string, unknown>;
  contract: Answer;
  pages: unknown[];
  page?: (index: number) => Answer;
}
const honest = (): Said => ({
  readiness: { chainId: '4663', caip2: 'eip155:4663', openApiUrl: CONTRACT_AT, openApiSha256: sha256Digest(CONTRACT) },
  contract: { body: CONTRACT },
  pages: [pageOf(3, [0], CURSORS[0]!), pageOf(3, [1], CURSORS[1]!), pageOf(3, [2], null)],
});

let server: Server | undefined;
afterEach(async () => {
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

/** Serves the answers, and records the requested targets. */
async function serve(said: Said): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const answerTo = (target: string): Answer => {
    const url = new URL(target, 'http://here');
    if (url.pathname === READINESS) return json(said.readiness);
    if (url.pathname === CONTRACT_AT) return said.contract;
    if (url.pathname !== CUSTOM_LAUNCH_FEED_PATH) return { status: 404, body: '{}' };
    const cursor = url.searchParams.get('cursor');
    const index = cursor === null ? 0 : CURSORS.indexOf(cursor) + 1;
    return said.page?.(index) ?? json(said.pages[index]);
  };
  server = createServer((request, response) => {
    asked.push(request.url!);
    const { status = 200, headers = {}, body } = answerTo(request.url!);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...headers });
    if (body === null) response.flushHeaders();
    else response.end(body);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function read(change: (said: Said) => void = () => undefined, further: object = {}) {
  const said = honest();
  change(said);
  const { origin, asked } = await serve(said);
  return { reading: await readFinalizedFeed({ origin, pageSize: 2, ...further }), asked };
}

/** Changes members of one page. */
const inPage = (index: number, change: (page: any) => void) => (said: Said) => change(said.pages[index]);
const counters = (page: any, counted: Record<string, number>): void => {
  Object.assign(page, counted);
  Object.assign(page.dataset, counted);
};

describe('an honest feed', () => {
  it('is read as a whole, every page by the unchanged cursor of the previous one', async () => {
    const { reading, asked } = await read();
    expect(reading).toEqual({
      availability: 'AVAILABLE',
      contractSha256: sha256Digest(CONTRACT),
      records: [0, 1, 2].map(recordOf),
    });
    expect(asked.slice(0, 2)).toEqual([READINESS, CONTRACT_AT]);
    const cursors = asked.slice(2).map((target) => new URL(target, 'http://here').searchParams.get('cursor'));
    expect(cursors).toEqual([null, ...CURSORS]);
  });

  it('is available and empty without a record', async () => {
    const { reading } = await read((said) => (said.pages = [pageOf(0, [], null)]));
    expect(reading).toMatchObject({ availability: 'AVAILABLE', records: [] });
  });

  it('may have members that its contract does not name', async () => {
    const { reading } = await read(inPage(1, (page) => (page.items[0].addedLater = true)));
    expect(reading.availability).toBe('AVAILABLE');
  });
});

describe('a feed is unavailable, and none of its records are kept, when', () => {
  it.each<[string, string, (said: Said) => void]>([
    ['readiness has another form', 'READINESS_INVALID', (said) => delete said.readiness['openApiUrl']],
    [
      'readiness is of another chain',
      'CHAIN_WRONG',
      (said) => Object.assign(said.readiness, { chainId: '1', caip2: 'eip155:1' }),
    ],
    ['readiness has another chain in its id alone', 'CHAIN_WRONG', (said) => (said.readiness['chainId'] = '1')],
    ['readiness has another chain in its name alone', 'CHAIN_WRONG', (said) => (said.readiness['caip2'] = 'eip155:1')],
    ['readiness binds no contract', 'CONTRACT_UNBOUND', (said) => (said.readiness['openApiSha256'] = null)],
    [
      'the contract is elsewhere',
      'CONTRACT_ELSEWHERE',
      (said) => (said.readiness['openApiUrl'] = 'https://elsewhere.example/c'),
    ],
    [
      'the contract has one byte more',
      'CONTRACT_BYTES_DIFFER',
      (said) => (said.contract = { body: Buffer.concat([CONTRACT, Buffer.from('\n')]) }),
    ],
    [
      'the contract, bound by its digest, has no feed',
      'CONTRACT_WITHOUT_FEED',
      (said) => {
        said.contract = { body: '{}' };
        said.readiness['openApiSha256'] = sha256Digest(Buffer.from('{}'));
      },
    ],
    ['a record is of another chain', 'PAGE_INVALID', inPage(2, (page) => (page.items[0].chainId = 1))],
    [
      'a record has another transaction than its inclusion',
      'PAGE_INVALID',
      inPage(2, (page) => (page.items[0].onchain.transactionHash = `0x${'9'.repeat(64)}`)),
    ],
    [
      'the transaction of a record reverted',
      'PAGE_INVALID',
      inPage(0, (page) => (page.items[0].onchain.l2Inclusion.receiptStatus = 'reverted')),
    ],
    [
      'the evidence of a record is elsewhere',
      'PAGE_INVALID',
      inPage(0, (page) => (page.items[0].evidence.path = '//e.example')),
    ],
    ['a record lacks a member', 'PAGE_INVALID', inPage(1, (page) => delete page.items[0].evidence)],
    ['a page lacks its cursor', 'PAGE_INVALID', inPage(1, (page) => delete page.nextCursor)],
    ['a page is not ready', 'FEED_NOT_READY', inPage(1, (page) => (page.quality.status = 'not_ready'))],
    [
      'one record is in quarantine',
      'RECORDS_QUARANTINED',
      inPage(1, (page) => counters(page, { quarantinedRowCount: 1, sourceRowCount: 4 })),
    ],
    [
      'the source has more than is published',
      'RECORDS_UNPUBLISHED',
      inPage(1, (page) => counters(page, { sourceRowCount: 4 })),
    ],
    ['a counter has two values on one page', 'COUNTERS_MIXED', inPage(1, (page) => (page.dataset.sourceRowCount = 4))],
    [
      'counters move between pages',
      'COUNTERS_MOVED',
      inPage(2, (page) => counters(page, { sourceRowCount: 4, publishedRowCount: 4 })),
    ],
    ['a page is longer than published', 'PAGE_OVERLONG', (said) => (said.pages = [pageOf(1, [0, 1], null)])],
    ['a page is longer than was asked for', 'PAGE_OVERLONG', (said) => (said.pages = [pageOf(3, [0, 1, 2], null)])],
    [
      'pages together are longer than published',
      'PAGE_OVERLONG',
      (said) => (said.pages = [pageOf(2, [0, 1], CURSORS[0]!), pageOf(2, [2], null)]),
    ],
    ['a cursor comes twice', 'CURSOR_REPEATED', (said) => (said.pages[1] = pageOf(3, [1], CURSORS[0]!))],
    ['pages end before every record arrived', 'RECORDS_MISCOUNTED', inPage(1, (page) => (page.nextCursor = null))],
    ['a record comes twice', 'RECORDS_MISCOUNTED', (said) => (said.pages[2] = pageOf(3, [1], null))],
    [
      'a page is redirected',
      'ANSWER_REDIRECTED',
      (said) =>
        (said.page = (index) =>
          index === 1 ? { status: 307, headers: { location: READINESS }, body: '' } : json(said.pages[index])),
    ],
    [
      'a page is refused',
      'ANSWER_STATUS_UNKNOWN',
      (said) => (said.page = (index) => (index === 1 ? { status: 503, body: '{}' } : json(said.pages[index]))),
    ],
    [
      'a page is larger than 1 MiB',
      'ANSWER_TOO_LARGE',
      (said) => (said.page = () => ({ body: JSON.stringify({ filler: 'x'.repeat(1 << 20) }) })),
    ],
    [
      'a page has a member twice',
      'ANSWER_NOT_JSON',
      (said) => (said.page = () => ({ body: '{"items":[],"items":[]}' })),
    ],
  ])('%s (%s)', async (_when, reason, lie) => {
    const { reading } = await read(lie);
    expect(reading).toEqual({
      availability: 'UNAVAILABLE',
      reason,
      message: expect.any(String),
      retryable: expect.any(Boolean),
    });
  });

  it('its pages never end, at the deadline of the whole read', async () => {
    const said = honest();
    const { origin } = await serve(said);
    let at = 0;
    // Each page is valid and has no record and a new cursor.
    said.page = () => json(pageOf(3, [], `cursor-${at++}`));
    // On busy cores, readiness and the contract may use up a short deadline; a longer one reaches the pages.
    for (let deadlineMs = 700; at === 0 && deadlineMs < 20_000; deadlineMs *= 2) {
      const reading = await readFinalizedFeed({ origin, deadlineMs });
      expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'ANSWER_TOO_SLOW' });
    }
    expect(at).toBeGreaterThan(0);
  });

  it('an answer does not end within the remaining deadline', async () => {
    const { reading } = await read((said) => (said.page = () => ({ body: null })), { deadlineMs: 700 });
    expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'ANSWER_TOO_SLOW' });
    // Readiness and contract have used part of the deadline.
    expect(reading).not.toMatchObject({ message: expect.stringContaining('within 700 ms') });
  });
});

describe('the reader sends nothing', () => {
  it('after the deadline', async () => {
    const { reading, asked } = await read(undefined, { deadlineMs: 0 });
    expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'ANSWER_TOO_SLOW' });
    expect(asked).toEqual([]);
  });

  it.each(['http://reader.example', 'https://reader.example/path', 'reader.example'])('to %s', async (origin) => {
    await expect(readFinalizedFeed({ origin })).rejects.toMatchObject({ code: 'ORIGIN_UNUSABLE' });
  });

  it.each([0, LIMITS.listMax + 1, 1.5])('for pages of %s records, and moves no bound silently', async (pageSize) => {
    const { origin, asked } = await serve(honest());
    await expect(readFinalizedFeed({ origin, pageSize })).rejects.toMatchObject({ code: 'INPUT_UNUSABLE' });
    expect(asked).toEqual([]);
  });
});
