import { readFileSync } from 'node:fs';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  CHAIN_DEPLOYMENT_ID,
  createRequestSchema,
  keccak256Hex,
  launchIntentHash,
  sourceReceiptSchema,
  type CreateRequest,
  type LaunchContext,
  type PackConfig,
  type SourceReceipt,
} from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  instructionPolicyHash,
  launchCommitments,
  LINEAR_INSTRUCTION_POLICY,
  NATIVE20_TEMPLATE_SET,
  recogniseEconomics,
  templateSetHash,
  type Hex,
} from '@launch/evm';
import { buildPackConfig, inertConfigOf, packRequest } from '@launch/multi-role';

const filled = (digit: string, length: number): Hex => `0x${digit.repeat(length)}`;

/** The first two accounts of the well-known development mnemonic: the authority with its key, and a controller. */
export const AUTHORITY_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const AUTHORITY = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const CONTROLLER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const ROUTER = filled('a', 40);
/** The moment every fixture launch is judged at, unix seconds. */
export const NOW = 1_900_000_000;

export function fixtureContext(profileId = 'custody-tests'): LaunchContext {
  const pinned = (address: Hex, digit: string) => ({ address, runtimeCodeHash: filled(digit, 64) });
  const observer = (id: string, digit: string) => ({ id, originCommitment: filled(digit, 64) });
  return {
    chainId: '4663',
    caip2: 'eip155:4663',
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      profileId,
      instructionPolicy: {
        id: LINEAR_INSTRUCTION_POLICY.id,
        policyHash: instructionPolicyHash(LINEAR_INSTRUCTION_POLICY),
        document: JSON.parse(JSON.stringify(LINEAR_INSTRUCTION_POLICY)) as Record<string, unknown>,
      },
      compilerVersions: ['0.8.26'],
      recipes: [{ ...NATIVE20_TEMPLATE_SET.recipe, templateSetHash: templateSetHash(NATIVE20_TEMPLATE_SET) }],
      limits: { requestBytes: 16_777_216, initCodeBytes: 49_152, runtimeCodeBytes: 24_576, transactionBytes: 95_000, permitWindowSeconds: 3_600 },
    },
    chainDeployment: {
      router: pinned(ROUTER, '1'),
      poolManager: pinned(filled('b', 40), '2'),
      sequencerInbox: filled('3', 40),
      bridge: filled('4', 40),
      nodeInterface: `0x${'c8'.padStart(40, '0')}`,
      genesisBlock: '0',
    },
    providerProfile: {
      l2Observers: [observer('l2-a', '5'), observer('l2-b', '6')],
      l1Observers: [observer('l1-a', '7'), observer('l1-b', '8')],
      finalityPolicyId: 'service.ethereum-finality.v1',
    },
    chainBindings: { router: ROUTER, poolManager: filled('b', 40), platformFeeRecipient: filled('c', 40), permitAuthorities: [AUTHORITY] },
  };
}

// Made by the repository's generate step.
const REFERENCE = new URL('../../../../clients/multi-role/bundles/request-packer-reference.json', import.meta.url);
let built: Promise<PackConfig> | undefined;

/** The reference launch as the offline builder makes it; mined once, since neither nonce nor window is in the graph. */
async function referenceConfig(): Promise<PackConfig> {
  built ??= buildPackConfig(inertConfigOf(readFileSync(REFERENCE), 'buy'), {
    context: fixtureContext(),
    wallet: CONTROLLER,
    nonce: 1n,
    validAfter: BigInt(NOW - 60),
    deadline: BigInt(NOW + 1_800),
    creatorRecipient: CONTROLLER,
    name: 'Custody Fixture',
    symbol: 'CUST',
    checkedAt: '2026-01-01T00:00:00.000Z',
    maxAttempts: 1 << 20,
  }).then(({ config }) => config);
  return built;
}

/** A request's exact bytes: admissible at `start` (default NOW), its nonce the caller's. */
export async function packedRequest(nonce: bigint, start = NOW): Promise<Uint8Array> {
  const permitWindow = { validAfter: String(start - 60), deadline: String(start + 1_800) };
  return packRequest(canonicalizeJson({ ...(await referenceConfig()), nonce: nonce.toString(), permitWindow })).bytes;
}

export const parsedRequest = (bytes: Uint8Array): CreateRequest => createRequestSchema.parse(parseStrictJson(bytes));

/** The bytes of a changed request; its launch intent is computed again, so that only the change itself is wrong. */
export function alteredRequest(bytes: Uint8Array, change: (request: CreateRequest) => void): Uint8Array {
  const request = JSON.parse(new TextDecoder().decode(bytes)) as CreateRequest;
  change(request);
  request.launchIntentHash = launchIntentHash(request);
  return canonicalizeJson(request);
}

export interface AdmissionKey {
  readonly publicPem: string;
  readonly privateKey: KeyObject;
}

export function admissionKey(): AdmissionKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey };
}

/** The stored bytes of an admission receipt for a request, signed; `change` alters it before signing. */
export function receiptBytes(
  key: AdmissionKey,
  launchId: string,
  requestBytes: Uint8Array,
  requestSha256: string,
  change: (receipt: SourceReceipt) => void = () => undefined,
): Uint8Array {
  const request = parsedRequest(requestBytes);
  const economics = recogniseEconomics(request);
  const receipt = sourceReceiptSchema.parse({
    schemaVersion: 'service.multi-role-source-receipt.v2',
    kind: 'admission',
    launchId,
    requestSha256,
    requestHash: keccak256Hex(requestBytes),
    contextHash: request.contextCommitments.contextHash,
    instructionPolicyHash: request.contextCommitments.instructionPolicyHash,
    artifactHash: launchCommitments(request).artifactHash,
    economicsHash: economics.kind === 'recognised' ? economics.economicsHash : null,
    recipe: economics.kind === 'recognised' ? economics.recipe : null,
    disposition: 'source_supported',
    findingCodes: [],
    materialized: [],
    decidedAt: '2026-01-01T00:00:00.000Z',
  });
  change(receipt);
  return canonicalizeJson({ receipt, signature: sign(null, canonicalizeJson(receipt), key.privateKey).toString('base64') });
}
