import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { indexEvidenceSchema, type IndexSource } from '@launch/contracts/index';
import { parseStrictJson } from '@launch/contracts/json';
import type { EventKey } from '@launch/contracts/orchestration';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { Devnet } from '@launch/devnet';
import { withClient } from '@launch/postgres-server';
import { judgeEvidence, sourceReleaseDigest } from '@launch/evm/sources';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import { prepareLaunch, putFaults } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { judgeAgain } from '../src/quarantine/judge-again.service.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let router: IndexSource;
let index: OwnIndex;
beforeAll(async () => {
  chains = await indexedDevnet();
  ({ devnet } = chains);
  router = developmentSources(devnet, 'c'.repeat(40))[0] as IndexSource;
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router]);
});
afterAll(async () => {
  await index?.close();
  await chains?.stop();
});

const l2 = (): string => devnet.rpc['4663'][0]!.url;
let nonce = 0n;
const launch = async () => (await prepareLaunch(devnet, (nonce += 1n))).send(l2());
const act = async (chain: '1' | '4663', action: string, body: unknown = {}): Promise<unknown> => {
  const response = await fetch(`${devnet.faultsUrl}/chains/${chain}/${action}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
/** Returns the transactions of current trades, each with its caller. */
const traded = async () =>
  (await index.database.swap.findMany({ orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }] })).map(
    ({ transactionHash, caller }) => [transactionHash, caller],
  );
const rows = () => index.database.launch.findMany({ orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }] });

describe('The index of a router', () => {
  it('finds launches at the head, removes dropped ones, and numbers the final ones in order', async () => {
    await act('1', 'hold-posting');
    const first = await launch();
    await index.until(router, async () => (await rows()).length === 1);
    expect(await rows()).toMatchObject([
      { transactionHash: first, sequence: null, finalityStage: 'sequencer_soft_confirmed' },
    ]);

    // The launch's own first purchase, made by the router.
    expect(await traded()).toEqual([[first, router.address]]);

    const dropped = await launch();
    await index.until(router, async () => (await rows()).length === 2);
    expect(await traded()).toEqual([first, dropped].map((hash) => [hash, router.address]));
    await act('4663', 'reorg', { dropTransaction: dropped });
    await index.until(router, async () => (await rows()).length === 1);
    expect((await rows())[0]).toMatchObject({ transactionHash: first });
    expect(await traded()).toEqual([[first, router.address]]);
    await act('4663', 'restore');
    await index.until(router, async () => (await rows()).length === 2);
    expect(await traded()).toEqual([first, dropped].map((hash) => [hash, router.address]));

    // Holds finality, so that even a slow machine sees the launch posted first.
    const held = (faults: object) =>
      Promise.all(['l1-a', 'l1-b', 'l2-a', 'l2-b'].map((id) => putFaults(devnet, id, faults)));
    await held({ holdFinalized: true });
    await act('1', 'resume-posting');
    const stages = async () => (await rows()).map(({ finalityStage }) => finalityStage);
    await index.until(router, async () => !(await stages()).includes('sequencer_soft_confirmed'));
    expect(await stages()).toEqual(['ethereum_posted', 'ethereum_posted']);
    await held({});
    const progress = await index.until(router, ({ launches }) => launches === 2);
    expect(progress).toMatchObject({ quarantined: 0 });
    expect(await rows()).toMatchObject([
      { transactionHash: first, sequence: 1n, finalityStage: 'ethereum_finalized' },
      { transactionHash: dropped, sequence: 2n, finalityStage: 'ethereum_finalized' },
    ]);
  });

  it('stores the evidence of each launch, from which anyone can judge it again', async () => {
    for (const row of await rows()) {
      const evidence = indexEvidenceSchema.parse(
        parseStrictJson(await index.parts.blobs.get(row.evidenceSha256 as Sha256Digest)),
      );
      const { verdict, digest } = judgeEvidence(evidence);
      expect(verdict).toMatchObject({ kind: 'pass', launch: { record: { tokenAddress: row.tokenAddress } } });
      expect(digest).toBe(row.verificationDigest);
      await expect(index.parts.blobs.has(row.verificationDigest as Sha256Digest)).resolves.toBe(true);
    }
  });

  it('equals an independent index of the same chain row by row', async () => {
    const other = await OwnIndex.over(devnet, join(chains.dir, 'other-blobs'), [router]);
    try {
      await other.until(router, ({ launches }) => launches === 2);
      expect(await other.content()).toEqual(await index.content());
    } finally {
      await other.close();
    }
  });

  it('changes nothing when an operator requests blocks again, and restores a lost row', async () => {
    const before = await index.content();
    const releaseDigest = sourceReleaseDigest(router);
    const readAgain = async () => {
      await index.parts.sources.requestRescan(releaseDigest, BigInt(router.startBlock));
      await index.until(router, async () => (await index.parts.sources.find(releaseDigest))?.rescan === null);
    };
    await readAgain();
    expect(await index.content()).toEqual(before);
    // No service may delete a final row: only a damaged database loses one.
    await withClient(index.adminUrl, async (client) => {
      await client.query('SET session_replication_role = replica');
      await client.query('DELETE FROM launches WHERE sequence = 2');
      await client.query('DELETE FROM swaps');
    });
    expect(await index.content()).not.toEqual(before);
    await readAgain();
    expect(await index.content()).toEqual(before);
  });

  it('refuses every deletion and change of a trade in a final block', async () => {
    const before = await index.content();
    await withClient(index.adminUrl, async (client) => {
      for (const statement of ['DELETE FROM swaps', 'UPDATE swaps SET tick = 0', 'TRUNCATE swaps'])
        await expect(client.query(statement)).rejects.toThrow('written once');
    });
    expect(await index.content()).toEqual(before);
  });

  it('stops at a replaced final block, and deletes nothing', async () => {
    const before = await index.content();
    const kept = await index.database.checkpoint.findMany();
    await index.database.checkpoint.updateMany({ data: { hash: `0x${'e'.repeat(64)}` } });
    const progress = await index.until(router, ({ state }) => state === 'stopped');
    expect(progress.reason).toMatch(/^CHECKPOINT_REPLACED: block \d+ was final as 0xeee/);
    expect(await index.content()).toEqual(before);
    // The observers were wrong: both have the block again.
    for (const { releaseDigest, number, hash } of kept)
      await index.database.checkpoint.updateMany({ where: { releaseDigest, number }, data: { hash } });
    await index.until(router, ({ state }) => state === 'following');
    expect(await index.content()).toEqual(before);
  });

  it('quarantines a log that fails a check and continues, until an operator has it judged again or dismisses it', async () => {
    const forged: IndexSource = { ...router, runtimeCodeHash: `0x${'f'.repeat(64)}` };
    const again: IndexSource = { ...router, profile: 'again' };
    const other = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [forged, router, again]);
    try {
      const { checkpoint } = await other.until(
        forged,
        ({ quarantined, launches }) => quarantined === 2 && launches === 0,
      );
      const rowsOf = () =>
        other.database.quarantine.findMany({
          orderBy: { blockNumber: 'asc' },
          include: { judgements: { orderBy: { ordinal: 'asc' } } },
        });
      const [first, second] = await rowsOf();
      expect(first).toMatchObject({
        rawLog: { address: router.address },
        judgements: [{ ordinal: 0, outcome: 'fail', reason: 'SOURCE_RUNTIME_MISMATCH' }],
      });
      const evidence = indexEvidenceSchema.parse(
        parseStrictJson(await other.parts.blobs.get(first!.evidenceSha256 as Sha256Digest)),
      );
      expect(judgeEvidence(evidence).verdict).toMatchObject({ kind: 'fail', reason: 'SOURCE_RUNTIME_MISMATCH' });
      expect(BigInt(checkpoint ?? 0)).toBeGreaterThanOrEqual(first!.blockNumber);

      const eventOf = (row: typeof first): EventKey => ({
        blockHash: row!.blockHash as Hex,
        transactionHash: row!.transactionHash as Hex,
        logIndex: row!.logIndex,
      });
      const digest = sourceReleaseDigest(forged);
      await expect(judgeAgain(other.parts, digest, eventOf(first))).resolves.toMatchObject({
        outcome: 'fail',
        reason: 'SOURCE_RUNTIME_MISMATCH',
      });
      await expect(judgeAgain(other.parts, digest, { ...eventOf(first), logIndex: 999 })).resolves.toEqual({
        outcome: 'unknown',
      });
      await other.parts.quarantine.append(digest, eventOf(second), {
        outcome: 'dismissed',
        reason: null,
        detail: 'a binding of another router',
      });
      expect((await rowsOf()).map(({ judgements }) => judgements.map(({ outcome }) => outcome))).toEqual([
        ['fail', 'fail'],
        ['fail', 'dismissed'],
      ]);
      await expect(other.parts.quarantine.counts()).resolves.toEqual([
        { releaseDigest: digest, reason: 'SOURCE_RUNTIME_MISMATCH', count: 1 },
      ]);

      // The same events by a second release of the same router are the same launches, and are not quarantined.
      await other.until(router, ({ launches }) => launches === 2);
      await expect(
        other.until(again, ({ checkpoint: now }) => BigInt(now ?? 0) >= BigInt(checkpoint ?? 0)),
      ).resolves.toMatchObject({ launches: 0, quarantined: 0 });
    } finally {
      await other.close();
    }
  });

  it('admits a quarantined launch that passes after all with the next number', async () => {
    const [row] = await rows();
    const other = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router]);
    try {
      // The state that a faulty adapter leaves.
      const releaseDigest = sourceReleaseDigest(router);
      const { chainId, blockNumber, blockHash, transactionHash, transactionIndex, logIndex } = row!;
      const event = { blockHash: blockHash as Hex, transactionHash: transactionHash as Hex, logIndex };
      await other.until(router, ({ launches }) => launches === 2);
      await withClient(other.adminUrl, async (client) => {
        await client.query('SET session_replication_role = replica');
        await client.query('DELETE FROM launches WHERE sequence = 1');
      });
      await other.database.quarantine.create({
        data: {
          releaseDigest,
          chainId,
          blockNumber,
          transactionIndex,
          ...event,
          finalized: true,
          rawLog: {},
          judgements: { create: { ordinal: 0, outcome: 'fail', reason: 'EVENT_UNDECODABLE', detail: '' } },
        },
      });
      await expect(judgeAgain(other.parts, releaseDigest, event)).resolves.toEqual({
        outcome: 'pass',
        tokenAddress: row!.tokenAddress,
      });
      await expect(other.parts.quarantine.counts()).resolves.toEqual([]);
      await expect(other.database.launch.findFirst({ where: { logIndex, transactionHash } })).resolves.toMatchObject({
        sequence: 3n,
        verificationDigest: row!.verificationDigest,
      });
    } finally {
      await other.close();
    }
  });

  it('refuses a source version without an adapter, and continues with the others', async () => {
    const unknown: IndexSource = { ...router, sourceVersion: 'custom-router-v9' };
    const other = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router, unknown]);
    try {
      await expect(other.follow(unknown, 60_000)).resolves.toMatchObject({
        state: 'unsupported',
        reason: 'no adapter for source version custom-router-v9',
      });
      await other.until(router, ({ launches }) => launches === 2);
    } finally {
      await other.close();
    }
  });

  it('waits for another release to leave a dropped block, and then finds the launch in its new block', async () => {
    const again: IndexSource = { ...router, profile: 'again' };
    const other = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router, again]);
    const ofNewest = () => other.database.launch.findMany({ where: { transactionHash: newest } });
    let newest = '';
    try {
      await act('1', 'hold-posting');
      newest = await launch();
      await other.until(router, async () => (await ofNewest()).length === 1);
      const [before] = await ofNewest();
      await act('4663', 'reorg', { dropTransaction: newest });
      await act('4663', 'restore');

      await expect(other.follow(again, 10_000)).resolves.toMatchObject({
        state: 'waiting',
        reason: expect.stringContaining(`${sourceReleaseDigest(router)} has ${before!.tokenAddress} in block`),
        quarantined: 0,
      });
      expect(await ofNewest()).toEqual([before]);
      await other.until(router, async () => (await ofNewest())[0]?.blockHash !== before!.blockHash);
      await act('1', 'resume-posting');
      await other.until(router, async () => (await ofNewest())[0]?.sequence != null);
      const { checkpoint } = await other.until(router, () => true);
      await expect(
        other.until(again, ({ checkpoint: now }) => BigInt(now ?? 0) >= BigInt(checkpoint!)),
      ).resolves.toMatchObject({ quarantined: 0 });
      // Each launch once, regardless of the release that found it first.
      expect(await other.database.launch.count({ where: { sequence: { not: null } } })).toBe(3);
    } finally {
      await other.close();
    }
  });
});
