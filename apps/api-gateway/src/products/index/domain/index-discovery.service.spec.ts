import { beforeEach, describe, expect, it } from '@jest/globals';
import { moduleIndexerSchema, moduleModeSchema } from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { IndexDiscoveryService } from './index-discovery.service.js';
import { SOURCE_ABIS } from './source-documents.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const LATER = sourceDocument({ ...NATIVE, startBlock: '50480000', address: account(0xf09) });
const ETHEREUM = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xf02) });
const { context } = RELEASE_EXAMPLE.bound!;

let index: MemoryIndex;
beforeEach(() => {
  index = memoryIndex();
});
const discovery = (bound: typeof context | null = null) =>
  new IndexDiscoveryService(index.state, { context: () => bound }, { keys: null });
const indexer = async (bound?: typeof context) => moduleIndexerSchema.parse(await discovery(bound).moduleIndexer());

describe('Discovery of module mode', () => {
  it('names the active release first and keeps the others, including a disabled one', async () => {
    index.source(LATER, { status: 'disabled' });
    index.source(NATIVE);
    index.source(ETHEREUM);
    const { release, retained } = moduleModeSchema.parse(await discovery().moduleMode());
    expect([release.contracts['launcher'], release.enabled]).toEqual([checksummed(NATIVE.address), true]);
    expect(retained.map(({ enabled, status }) => [enabled, status])).toEqual([[false, 'disabled']]);
  });

  it('is absent before a release is bound', async () => {
    index.source(ETHEREUM);
    expect((await refusalOfWork(() => discovery().moduleMode())).code).toBe('NOT_FOUND');
  });
});

describe('The contract of indexers', () => {
  it('states every source, the topics of its events, and the digest of each ABI', async () => {
    index.source(NATIVE);
    index.source(ETHEREUM);
    const contract = await indexer();
    expect(contract.deployments.map(({ sourceVersion }) => sourceVersion)).toEqual([
      'module-native-v1',
      'ethereum-custom-v1',
    ]);
    expect(Object.keys(contract.eventTopics)).toContain('ModuleNativeLaunched');
    expect(contract.sources.map(({ abiSha256 }) => abiSha256)).toEqual(SOURCE_ABIS.map(({ sha256 }) => sha256));
    expect([contract.answerSignatures, contract.rollup]).toEqual([null, null]);
  });

  it('names the rollup of the custom-launch context', async () => {
    expect((await indexer(context)).rollup).toMatchObject({
      bridge: checksummed(context.chainDeployment.bridge),
      sequencerInbox: checksummed(context.chainDeployment.sequencerInbox),
      genesisBlock: context.chainDeployment.genesisBlock,
    });
  });
});
