import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { HeldPlace } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { Devnet } from '@launch/devnet';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import { prepareLaunch } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { FollowSource } from '../src/follow/follow-source.service.js';
import type { RangeRead, SourceRange } from '../src/follow/read-range.js';
import { IndexReadiness } from '../src/readiness.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

const PATIENCE = { attempts: 3, forMs: 500 };

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let router: IndexSource;
let releaseDigest: ReturnType<typeof sourceReleaseDigest>;
let index: OwnIndex;
/** Selects the requests that the observers refuse. */
let refused: (range: SourceRange) => RangeRead | null = () => null;
let following: FollowSource;

beforeAll(async () => {
  chains = await indexedDevnet();
  ({ devnet } = chains);
  router = developmentSources(devnet, 'c'.repeat(40))[0] as IndexSource;
  releaseDigest = sourceReleaseDigest(router);
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router]);
  const { parts } = index;
  following = new FollowSource({
    ...parts,
    readRange: async (pair, range) => (range.leftOut.block ? null : refused(range)) ?? parts.readRange(pair, range),
    patience: PATIENCE,
    pollMs: 50,
    runMs: 0,
    onStep: () => undefined,
    stopping: new AbortController().signal,
  });
});
afterAll(async () => {
  await index?.close();
  await chains?.stop();
});

let nonce = 0n;
const launch = async (): Promise<Hex> => (await prepareLaunch(devnet, (nonce += 1n))).send(devnet.rawRpc['4663']);
const step = () => following.follow(releaseDigest, new AbortController().signal);
/** Steps until a condition holds, at most for the test's own time limit. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await step();
}
const sourceRow = () => index.database.source.findUniqueOrThrow({ where: { releaseDigest } });
const placeOf = async (transactionHash: string) => index.database.launch.findFirst({ where: { transactionHash } });
const isFinal = async (transactionHash: string) => ((await placeOf(transactionHash))?.sequence ?? null) !== null;
const holds = () =>
  index.database.hold.findMany({ orderBy: [{ blockNumber: 'asc' }, { transactionHash: 'asc' }, { subject: 'asc' }] });
const retryNow = () => index.database.hold.updateMany({ data: { nextAttemptAt: new Date() } });
/** Steps until the source has passed a block, which is final. */
const past = (block: bigint) => until(async () => ((await sourceRow()).checkpointNumber ?? 0n) >= block);
const blockOf = async (transactionHash: string): Promise<bigint> => {
  const response = await fetch(devnet.rawRpc['4663'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [transactionHash] }),
  });
  const { result } = (await response.json()) as { result: { blockNumber: string } | null };
  return result === null ? blockOf(transactionHash) : BigInt(result.blockNumber);
};
const unreadable = ({ from, to }: SourceRange, block: bigint): RangeRead | null =>
  from > block || to < block
    ? null
    : {
        kind: 'incomplete',
        reason: `block ${block}: a RPC_ANSWER_TOO_LARGE`,
        cause: 'unreadable',
        obstacle: { subject: 'launches', block, events: [] },
      };

describe('A held place', () => {
  it('may be an operator’s block: its launches stay out, the rest is indexed, and its release restores it', async () => {
    await until(async () => (await sourceRow()).provisionalNumber !== null);
    // Its block is unknown before it is mined, so the transaction is held in any block.
    const transaction = await launch();
    const block = await blockOf(transaction);
    const place: HeldPlace = { blockNumber: block.toString(), transactionHash: transaction };
    const whole: HeldPlace = { ...place, transactionHash: null };
    await index.parts.holds.hold(releaseDigest, place, 'under review');
    await index.parts.holds.hold(releaseDigest, place, 'under review');
    await index.parts.holds.hold(releaseDigest, whole, 'under review');
    const later = await launch();
    await until(() => isFinal(later));
    expect(await placeOf(transaction)).toBeNull();
    expect(await holds()).toMatchObject([
      { blockNumber: block, transactionHash: '', cause: 'operator', reason: 'under review', nextAttemptAt: null },
      { blockNumber: block, transactionHash: transaction, cause: 'operator' },
    ]);
    expect(await index.parts.holds.release(releaseDigest, whole)).toBe(true);
    await until(async () => (await holds()).every(({ transactionHash }) => transactionHash === transaction));
    expect(await placeOf(transaction)).toBeNull();
    expect(await index.parts.holds.release(releaseDigest, place)).toBe(true);
    await until(() => isFinal(transaction));
    await until(async () => {
      await retryNow();
      return (await holds()).length === 0;
    });
    expect(await index.parts.holds.release(releaseDigest, place)).toBe(false);
  });

  it('may be an unreadable block: the others are indexed, readiness reports it, and it is read as soon as possible', async () => {
    const transaction = await launch();
    const bad = await blockOf(transaction);
    refused = (range) => unreadable(range, bad);
    const later = await launch();
    await until(() => isFinal(later));
    expect(await placeOf(transaction)).toBeNull();
    const cause = { cause: 'index', reason: `block ${bad}: a RPC_ANSWER_TOO_LARGE` };
    expect(await holds()).toMatchObject([
      { blockNumber: bad, transactionHash: '', subject: 'launches', ...cause },
      { blockNumber: bad, transactionHash: '', subject: 'trades', ...cause },
    ]);
    const readiness = new IndexReadiness(index.database, () => 0);
    await readiness.read();
    expect(readiness.degradations.unread()).toContain(`1 of ${router.sourceVersion} ${router.address}`);

    await retryNow();
    await step();
    expect(await holds()).toMatchObject([{ attempts: 1 }, {}]);
    refused = () => null;
    await retryNow();
    await until(() => isFinal(transaction));
    await until(async () => {
      await retryNow();
      return (await holds()).length === 0;
    });
    await readiness.read();
    expect(readiness.degradations.unread()).toBeNull();
  });

  it('may be a transaction whose launch has no verdict: it is in quarantine until it has one', async () => {
    const transaction = await launch();
    refused = ({ from, to, givenUp, only }) =>
      givenUp.has(`${transaction}/*`) || from > to
        ? null
        : only === transaction || only === null
          ? withoutVerdict(transaction, from, to, block)
          : null;
    const block = await blockOf(transaction);
    const later = await launch();
    await until(() => isFinal(later));
    const quarantined = () =>
      index.database.quarantine.findMany({ include: { judgements: { orderBy: { ordinal: 'asc' } } } });
    expect(await quarantined()).toMatchObject([
      { transactionHash: transaction, judgements: [{ outcome: 'fail', reason: 'EVIDENCE_UNREADABLE' }] },
    ]);
    expect(await holds()).toMatchObject([{ transactionHash: transaction, cause: 'index', subject: 'launches' }]);
    await past(block);
    refused = () => null;
    await retryNow();
    await until(() => isFinal(transaction));
    expect((await quarantined())[0]!.judgements.map(({ outcome }) => outcome)).toEqual(['fail', 'pass']);
    expect(await holds()).toEqual([]);
  });

  it('may be a block whose launch is silent on a retry: the transaction alone stays held', async () => {
    const transaction = await launch();
    const block = await blockOf(transaction);
    refused = (range) => unreadable(range, block);
    await past(block);
    expect(await holds()).toMatchObject([{ transactionHash: '', subject: 'launches' }, { subject: 'trades' }]);
    refused = ({ from, to, givenUp }) =>
      givenUp.has(`${transaction}/*`) ? null : withoutVerdict(transaction, from, to, block);
    await until(async () => {
      await retryNow();
      const held = await holds();
      return held.length === 1 && held[0]!.transactionHash === transaction;
    });
    const [before] = await holds();
    await until(async () => {
      await retryNow();
      return (await holds())[0]!.attempts > before!.attempts;
    });
    refused = () => null;
    await retryNow();
    await until(() => isFinal(transaction));
    expect(await holds()).toEqual([]);
  });

  it('may be a transaction whose indexed launch is silent on a retry: no launch is quarantined', async () => {
    const transaction = await launch();
    const block = await blockOf(transaction);
    await until(() => isFinal(transaction));
    refused = ({ from, to, givenUp }) =>
      givenUp.has(`${transaction}/*`) ? null : withoutVerdict(transaction, from, to, block);
    const place = { releaseDigest, blockNumber: block, transactionHash: transaction, subject: 'launches' };
    const due = { cause: 'index', reason: 'unread', blockTime: new Date(), nextAttemptAt: new Date() };
    await index.database.hold.create({ data: { ...place, ...due } });
    await until(async () => {
      await retryNow();
      return (await holds())[0]!.attempts > 0;
    });
    expect(await index.database.quarantine.findMany({ where: { transactionHash: transaction } })).toEqual([]);
    refused = () => null;
    await until(async () => {
      await retryNow();
      return (await holds()).length === 0;
    });
  });

  it('does not affect readiness while the source advances, and degrades it after a minute without progress', async () => {
    const clock = { now: Date.now() };
    const readiness = new IndexReadiness(
      index.database,
      () => 0,
      () => clock.now,
    );
    await until(async () => (await sourceRow()).state === 'following');
    await readiness.read();
    expect(readiness.degradations.stalled()).toBeNull();
    clock.now += 75_000;
    await readiness.read();
    expect(readiness.degradations.stalled()).toContain(router.address);
  });
});

function withoutVerdict(transaction: Hex, from: bigint, to: bigint, block: bigint): RangeRead | null {
  if (from > block || to < block) return null;
  return {
    kind: 'incomplete',
    reason: 'reads: a RPC_TIMEOUT',
    cause: 'transient',
    obstacle: { subject: 'launches', block: null, events: [`${transaction}/*`] },
  };
}
