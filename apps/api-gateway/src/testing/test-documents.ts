import {
  finding,
  NATIVE20_LIQUIDITY_KIND,
  sha256Digest,
  type ErrorCode,
  type FinalityStatus,
  type FinalizedRecord,
  type Finding,
  type LaunchResource,
  type SourceAssessment,
  type WalletHandoff,
} from '@launch/contracts';
import { pendingFinality } from '../launches/launch.resource.js';
import { testRequest } from './test-request.js';

const word = (digit: string): string => `0x${digit.repeat(64)}`;
const at = '2026-11-20T10:00:00.000Z';
const digest = sha256Digest(Buffer.from('response'));
const observers = ['a', 'b'].map((id) => ({ id, observedAt: at, responseSha256: digest }));

export const LAUNCH_TRANSACTION = word('7');

export const testAssessment = (disposition: SourceAssessment['disposition'], codes: ErrorCode[] = []): SourceAssessment => ({
  schemaVersion: 'service.multi-role-source-assessment.v2', disposition, findingCodes: codes, receiptHash: digest, remediation: null, productionAuthority: false,
});

export const testFindings = (...codes: ErrorCode[]): Finding[] => codes.map((code) => finding(code, ''));

/** A hand-off for a reserved launch. */
export const testHandoff = (launch: LaunchResource, more: Partial<WalletHandoff> = {}): WalletHandoff => ({
  schemaVersion: 'service.multi-role-wallet-handoff.v2',
  requestSha256: launch.requestSha256, requestHash: launch.requestHash, contextHash: launch.contextHash, artifactHash: launch.artifactHash,
  permitDigest: word('5'), validAfter: launch.permitWindow.validAfter, deadline: launch.permitWindow.deadline, createdAt: at,
  simulation: { blockNumber: '1', blockHash: word('6'), gasUsed: '2900000', simulatedAt: at },
  walletTransaction: { from: launch.launchWallet, to: launch.context.chainDeployment.router.address, chainId: '4663', value: '0', data: '0x1234' },
  ...more,
});

export const includedFinality = (launchId: string, observedAt = at): FinalityStatus => ({
  ...pendingFinality(launchId),
  state: 'included',
  transactionHash: LAUNCH_TRANSACTION,
  inclusion: { blockNumber: '10', blockHash: word('8'), transactionIndex: 0, transactionHash: LAUNCH_TRANSACTION, receiptStatus: 'success', logsSha256: digest, observers },
  observation: { status: 'agreed', reason: null, at: observedAt },
});

export const finalizedFinality = (launchId: string): FinalityStatus => ({
  ...includedFinality(launchId),
  state: 'ethereum_finalized',
  posting: {
    sequencerInbox: `0x${'4'.repeat(40)}`, batchNumber: '1', batchTransactionHash: word('9'), l1BlockNumber: '5', l1BlockHash: word('a'), logIndex: 0,
    firstL2Block: '9', lastL2Block: '12', afterAcc: word('b'), observers,
  },
  checkpoint: { blockNumber: '7', blockHash: word('c'), epoch: null, observers },
  finalizedAt: at,
});

/** The public record of a launch made from `testRequest`. */
export function testRecord(launch: LaunchResource, more: Partial<FinalizedRecord> = {}): FinalizedRecord {
  const request = testRequest({ context: launch.context, nonce: launch.nonce });
  const { officialPool } = request.graphBundle;
  if (request.liquidityModel.kind !== NATIVE20_LIQUIDITY_KIND) throw new TypeError('the test request is a combined Native20');
  return {
    schemaVersion: 'service.multi-role-finalized-metadata.v2',
    apiLaunchId: launch.launchId, onchainLaunchId: launch.onchainLaunchId, caip2: 'eip155:4663', chainBindings: launch.context.chainBindings,
    projectMetadata: request.projectMetadata,
    image: { ...request.projectMetadata.image, path: `/finalized/${launch.onchainLaunchId}/image/${request.projectMetadata.image.sha256.slice(7)}` },
    market: {
      token: officialPool.poolKey.currency1, hook: officialPool.poolKey.hooks, poolManager: launch.context.chainDeployment.poolManager.address, poolId: word('d'),
      poolKey: officialPool.poolKey, sqrtPriceX96: officialPool.sqrtPriceX96,
    },
    components: [{ account: officialPool.poolKey.hooks, roleMask: 3, runtimeCodeHash: word('f'), scope: 0, resultIndex: 0 }],
    provenance: {
      requestHash: launch.requestHash, contextHash: launch.contextHash, graphHash: word('1'), economicsHash: word('2'), instructionPolicyHash: word('3'),
      artifactHash: launch.artifactHash, transactionHash: LAUNCH_TRANSACTION, l2Block: { number: '10', hash: word('8') },
    },
    ethereum: {
      posting: { sequencerInbox: `0x${'4'.repeat(40)}`, batchNumber: '1', batchTransactionHash: word('9'), l1BlockNumber: '5', l1BlockHash: word('a') },
      finalized: { blockNumber: '7', blockHash: word('c') },
    },
    sourcePublication: { sourcify: 'not_verified', blockExplorer: 'not_verified' }, indexerPublication: 'not_claimed', finalizedAt: at,
    ...more,
  };
}
