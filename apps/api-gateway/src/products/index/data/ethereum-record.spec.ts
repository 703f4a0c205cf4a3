import { describe, expect, it } from '@jest/globals';
import { ethereumFinalizedSchema } from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { account, recordOf, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { judgeRow } from './ethereum-record.js';
import type { IndexRow } from './index-reading.repository.js';

const ROUTER = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xe1) });
const RECORD = recordOf(ROUTER, 1);
const { blockNumber, blockHash, transactionHash, logIndex } = RECORD;
const ROW: IndexRow = {
  sequence: '1',
  blockHash,
  transactionHash,
  logIndex,
  transactionIndex: 0,
  evidenceSha256: RECORD.verificationDigest as Sha256Digest,
  record: RECORD,
  checkpointNumber: '50480000',
  checkpointHash: word(1),
  checkpointAt: '2026-11-20T10:00:00.000Z',
};
const without = (member: keyof typeof RECORD) =>
  Object.fromEntries(Object.entries(RECORD).filter(([name]) => name !== member));

describe('A row of the index', () => {
  it('enters the feed of Ethereum as canonical JSON with its place, its router and its checkpoint', () => {
    const judged = judgeRow(ROW);
    if ('held' in judged) throw new Error(judged.held);
    const item = ethereumFinalizedSchema.parse(JSON.parse(judged.record));
    expect([judged.record, judged.recordSha256]).toEqual([
      canonicalJsonText(item),
      sha256Digest(new TextEncoder().encode(judged.record)),
    ]);
    expect(item).toMatchObject({
      chainId: 1,
      projectMetadata: { token: { name: RECORD.name, symbol: RECORD.symbol } },
      onchain: {
        router: ROUTER.address,
        routerLaunchId: RECORD.launchId,
        inclusion: { blockNumber, blockHash, transactionIndex: 0, logIndex },
        ethereumFinalized: { blockNumber: '50480000', blockHash: word(1) },
      },
      sourceVerification: { status: 'not_verified', components: [] },
      evidence: { sha256: ROW.evidenceSha256 },
    });
  });

  it.each<[string, Partial<IndexRow>, string]>([
    ['without the identifier of its launch', { record: without('launchId') }, 'record: launchId'],
    ['without its router', { record: without('routerAddress') }, 'record: routerAddress'],
    ['without its token', { record: without('tokenAddress') }, 'record: tokenAddress'],
    ['that is no record', { record: null }, 'record: '],
    ['that no router stamped', { record: { ...RECORD, routerAddress: null } }, 'record: routerAddress'],
    ['without a launch at the router', { record: { ...RECORD, launchId: null } }, 'record: launchId'],
    ['of another block', { blockHash: word(9) }, 'record: blockHash'],
    ['of another transaction', { transactionHash: word(9) }, 'record: transactionHash'],
    ['of another log', { logIndex: 9 }, 'record: logIndex'],
    ['above its checkpoint', { checkpointNumber: '1' }, 'checkpoint: below the launch'],
    ['without a checkpoint', { checkpointNumber: null }, 'checkpoint: below the launch'],
    ['without the time of its checkpoint', { checkpointAt: null }, 'item: finalizedAt'],
  ])('%s is held', (_what, change, held) => {
    expect(judgeRow({ ...ROW, ...change })).toMatchObject({ held });
  });
});
