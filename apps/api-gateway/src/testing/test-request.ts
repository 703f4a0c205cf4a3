import {
  CAIP2,
  canonicalKeccak,
  CHAIN_DEPLOYMENT_ID,
  commitContext,
  CREATE_REQUEST_SCHEMA,
  launchIntentHash,
  NATIVE20_LIQUIDITY_KIND,
  sha256Digest,
  type CreateRequest,
  type LaunchContext,
} from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { testPng } from './test-png.js';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const word = (digit: string): string => `0x${digit.repeat(64)}`;
const digest = (text: string): string => sha256Digest(Buffer.from(text));

export const TEST_CONTROLLER = '0x1111111111111111111111111111111111111111';

/** A context of the right shape; what it names stands on no chain. */
export function testContext(overrides: Partial<LaunchContext['profile']> = {}): LaunchContext {
  const policy = { policy: 'test' };
  return {
    chainId: '4663',
    caip2: CAIP2,
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      profileId: 'test-profile',
      instructionPolicy: { id: 'service.runtime-instructions.reachable.v1', policyHash: canonicalKeccak(policy), document: policy },
      compilerVersions: ['0.8.26'],
      recipes: [{ id: 'combined-native20', version: 'v1', templateSetHash: word('a') }],
      limits: { requestBytes: 16_777_216, initCodeBytes: 49_152, runtimeCodeBytes: 24_576, transactionBytes: 95_000, permitWindowSeconds: 3_600 },
      ...overrides,
    },
    chainDeployment: {
      router: { address: address('2'), runtimeCodeHash: word('b') },
      poolManager: { address: address('3'), runtimeCodeHash: word('c') },
      sequencerInbox: address('4'),
      bridge: address('5'),
      nodeInterface: address('6'),
      genesisBlock: '0',
    },
    providerProfile: {
      l2Observers: [{ id: 'l2-a', originCommitment: word('d') }, { id: 'l2-b', originCommitment: word('e') }],
      l1Observers: [{ id: 'l1-a', originCommitment: word('d') }, { id: 'l1-b', originCommitment: word('e') }],
      finalityPolicyId: 'test-finality',
    },
    chainBindings: { router: address('2'), poolManager: address('3'), platformFeeRecipient: address('7'), permitAuthorities: [address('8')] },
  };
}

export interface TestRequestOptions {
  readonly context?: LaunchContext;
  readonly nonce?: string;
  /** Unix seconds the window is laid around. */
  readonly now?: number;
  /** Changes the finished request before its intent is hashed. */
  readonly change?: (request: CreateRequest) => void;
  /** Changes it after hashing, so that the intent no longer fits. */
  readonly afterHashing?: (request: CreateRequest) => void;
}

/** A request that passes every check of form; its sources and bytecode are not what admission would accept. */
export function testRequest(options: TestRequestOptions = {}): CreateRequest {
  const context = structuredClone(options.context ?? testContext());
  const now = options.now ?? Math.floor(Date.now() / 1_000);
  const png = testPng();
  const standardJson = canonicalizeJson({ language: 'Solidity', sources: {}, settings: {} });
  const salt = `${TEST_CONTROLLER}${'0'.repeat(24)}`;
  const request: CreateRequest = {
    schemaVersion: CREATE_REQUEST_SCHEMA,
    context,
    contextCommitments: commitContext(context),
    launchWallet: TEST_CONTROLLER,
    nonce: options.nonce ?? '1',
    permitWindow: { validAfter: String(now), deadline: String(now + 1_800) },
    source: {
      sourceLineageNonce: word('1'),
      publicOriginCommitment: word('2'),
      bundleSha256: digest('bundle'),
      manifest: [{ path: 'image.png', mode: '100644', byteLength: png.length, sha256: sha256Digest(png) }],
      additionalFiles: [{ path: 'image.png', base64: png.toString('base64') }],
      imagePath: 'image.png',
    },
    externalContracts: [],
    graphBundle: {
      sourceBundleSha256: digest('bundle'),
      components: [
        {
          componentId: 'token-hook', roleMask: 3, salt, creationBytecode: '0x6001', constructorArgs: '0x', predictedAddress: address('9'),
          expectedRuntimeCode: '0x00', expectedRuntimeCodeHash: word('f'),
        },
      ],
      children: [],
      officialPool: {
        poolKey: { currency0: address('0'), currency1: address('9'), fee: 0, tickSpacing: 60, hooks: address('9') },
        sqrtPriceX96: '79228162514264337593543950336',
      },
    },
    projectMetadata: {
      name: 'Test', symbol: 'TST', description: '', links: [],
      image: { mediaType: 'image/png', width: 32, height: 32, byteLength: png.length, sha256: sha256Digest(png) },
    },
    compilerVerification: {
      compilationUnits: [
        { compilationUnitId: 'main', compilerVersion: '0.8.26', standardJsonInputSha256: sha256Digest(standardJson), standardJsonInputBase64: Buffer.from(standardJson).toString('base64') },
      ],
      components: [
        {
          componentId: 'token-hook', target: { compilationUnitId: 'main', path: 'Native20.sol', contract: 'Native20' },
          constructor: { encoding: 'abi', argumentsHash: word('0') }, runtimeMaterialization: { method: 'create2-from-router', libraries: [] },
        },
      ],
    },
    funding: { totalValueWei: '0' },
    fundingPlan: { initialBuyWei: '0', minimumTokensOut: '0', nativeLiquidityWei: '0', maxGasCostWei: '1000000' },
    liquidityModel: { kind: NATIVE20_LIQUIDITY_KIND, tickLower: -600, tickUpper: 600, tickSpacing: 60, liquidity: '1000' },
    launchIntentHash: word('0'),
    attestation: { agentId: 'test', checkedAt: '2026-11-01T00:00:00.000Z', checks: [] },
  };
  options.change?.(request);
  request.launchIntentHash = launchIntentHash(request);
  options.afterHashing?.(request);
  return request;
}

/** The bytes a client would send. */
export const requestBytes = (request: unknown): Buffer => Buffer.from(canonicalizeJson(request));
