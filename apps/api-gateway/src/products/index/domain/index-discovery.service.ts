import { Inject, Injectable } from '@nestjs/common';
import {
  abiUrlOf,
  ANSWER_KEYS_PATH,
  CUSTOM_GRAPH_KIND,
  CUSTOM_LABEL,
  MODULE_MODE_PATH,
  type ModuleIndexer,
  type ModuleMode,
  type ModuleModeRelease,
  type PublishedSource,
  SCAN_START_BLOCK,
  STAMP_GENERATION,
} from '@launch/contracts/index';
import { CHAIN_DEPLOYMENT_ID, checksummed } from '@launch/contracts/primitives';
import { ANSWER_COMPONENTS, ANSWER_TAG, AnswerSigner, ApiError } from '@launch/http';
import { DISPLAY_LIMITS, TOKEN_METADATA_ABI } from '@launch/evm/sources';
import { toEventSelector } from 'viem/utils';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../../../core/gates/custom-launch-release.js';
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { IndexStateService } from './index-state.service.js';
import { byRank, contractsOf, deploymentOf, SOURCE_ABIS } from './source-documents.js';

const NATIVE = 'module-native-v1';

/** Members that identify a coin, a pool, a launch and an event (docs/reference/index-sources.md#identity-keys). */
const IDENTITY_FIELDS: ModuleIndexer['identityFields'] = {
  coin: ['chainId', 'tokenAddress'],
  pool: ['chainId', 'poolManager', 'poolId'],
  launch: ['chainId', 'sourceAddress', 'launchId'],
  event: ['chainId', 'blockHash', 'transactionHash', 'logIndex'],
};
const METADATA_FIELDS: ModuleIndexer['tokenMetadata']['fields'] = {
  description: 'description',
  website: 'website',
  imageUrl: 'image',
  x: 'extraData.x',
  telegram: 'extraData.telegram',
  discord: 'extraData.discord',
  github: 'extraData.github',
  gitbook: 'extraData.gitbook',
};

const isNative = ({ document }: PublishedSource): boolean =>
  document.sourceVersion === NATIVE && document.chainId === 4663;

function releaseOf({ document, status, release_digest }: PublishedSource): ModuleModeRelease {
  const { address, runtimeCodeHash, startBlock, profile, sourceCommit } = document;
  return {
    schemaVersion: 'service.module-mode-source.v1',
    sourceVersion: NATIVE,
    chainId: 4663,
    enabled: status === 'active',
    status,
    ...contractsOf({ ...document.contracts, launcher: { address, runtimeCodeHash } }, checksummed),
    startBlock,
    releaseDigest: release_digest,
    profile,
    sourceCommit,
  };
}

/** Serves discovery for indexers (docs/reference/index-reads.md#module-mode). */
@Injectable()
export class IndexDiscoveryService {
  constructor(
    private readonly index: IndexStateService,
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly customLaunchRelease: Pick<CustomLaunchRelease, 'context'>,
    @Inject(ANSWER_SIGNER) private readonly signer: Pick<AnswerSigner, 'keys'>,
  ) {}

  /** @throws ApiError `NOT_FOUND` when no release was ever configured. */
  async moduleMode(): Promise<ModuleMode> {
    const { sources } = await this.index.state();
    const [release, ...retained] = sources.filter(isNative).sort(byRank).map(releaseOf);
    if (release === undefined) throw new ApiError('NOT_FOUND');
    return { release, retained };
  }

  /** @throws ApiError `NOT_FOUND` when this release of the service has no adapter for Native V1. */
  async moduleIndexer(): Promise<ModuleIndexer> {
    const { sources } = await this.index.state();
    const native = SOURCE_ABIS.find(({ sourceVersion }) => sourceVersion === NATIVE);
    if (native === undefined) throw new ApiError('NOT_FOUND');
    return {
      schemaVersion: 'service.module-mode-indexer.v1',
      abi: native.abi as unknown as ModuleIndexer['abi'],
      eventTopics: Object.fromEntries(
        native.abi.flatMap((item) => (item.type === 'event' ? [[item.name, toEventSelector(item)]] : [])),
      ),
      identityFields: IDENTITY_FIELDS,
      tokenMetadata: {
        getter: TOKEN_METADATA_ABI as unknown as ModuleIndexer['abi'],
        fields: METADATA_FIELDS,
        limits: DISPLAY_LIMITS,
        defaultImageUrl: null,
      },
      releasePath: MODULE_MODE_PATH,
      scanStartBlock: SCAN_START_BLOCK,
      stampGeneration: STAMP_GENERATION,
      chainDeploymentId: CHAIN_DEPLOYMENT_ID,
      launchKind: { name: 'CustomGraph', value: CUSTOM_GRAPH_KIND },
      label: CUSTOM_LABEL,
      sources: SOURCE_ABIS.map(({ sourceVersion, sha256 }) => ({
        sourceVersion,
        abiUrl: abiUrlOf(sha256),
        abiSha256: sha256,
      })),
      deployments: sources.map((source) => deploymentOf(source, checksummed)),
      answerSignatures:
        this.signer.keys === null
          ? null
          : { algorithm: 'ed25519', keysUrl: ANSWER_KEYS_PATH, tag: ANSWER_TAG, components: [...ANSWER_COMPONENTS] },
      rollup: this.rollup(),
    };
  }

  /** Returns the rollup of the configured custom-launch context. */
  private rollup(): ModuleIndexer['rollup'] {
    const deployment = this.customLaunchRelease.context()?.chainDeployment;
    if (deployment === undefined) return null;
    return {
      chainDeploymentId: CHAIN_DEPLOYMENT_ID,
      sequencerInbox: checksummed(deployment.sequencerInbox),
      bridge: checksummed(deployment.bridge),
      nodeInterface: checksummed(deployment.nodeInterface),
      genesisBlock: deployment.genesisBlock,
    };
  }
}
