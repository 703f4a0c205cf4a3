import { orderFindings, type Finding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import { commitContext, type ManifestEntry } from '@launch/contracts/launch';
import {
  CREATE_REQUEST_SCHEMA,
  createRequestSchema,
  defaultIdempotencyKey,
  launchIntentHash,
  packConfigSchema,
  type CreateRequest,
  type PackConfig,
  type PackReport,
} from '@launch/contracts/multi-role';
import {
  canonicalKeccak,
  canonicalSha256,
  decodeBase64,
  keccak256Hex,
  LIMITS,
  sha256Digest,
} from '@launch/contracts/primitives';
import { launchCommitments } from '@launch/evm';
import { collectSources, judge, manifestOf, MULTI_ROLE_PACKING } from '@launch/launch-rules';
import { PackError, type PackFinding } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { declarationFindings } from './declaration.findings.js';

/** A packed request: its exact bytes and the report that `pack` prints. */
export interface PackedRequest {
  readonly bytes: Uint8Array;
  readonly report: PackReport;
}

export const tooLargeError = (): PackError =>
  new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [
    { path: '', message: `is larger than ${LIMITS.requestBytes} bytes` },
  ]);

/**
 * Turns a pack configuration's bytes into a canonical create request (docs/reference/multi-role.md#packer). Pure:
 * derives manifest, digests and hashes and checks form only; compiles, mines and chooses nothing.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` with all findings of the first stage that has any:
 * size, JSON, schema, sources, declarations.
 */
export function packRequest(configBytes: Uint8Array): PackedRequest {
  if (configBytes.length > LIMITS.requestBytes) throw tooLargeError();
  const parsed = parseDocument(configBytes, 'MULTI_ROLE_PACK_CONFIG_INVALID');
  const config = validateDocument(packConfigSchema, parsed, 'MULTI_ROLE_PACK_CONFIG_INVALID');
  const sources = collectSources(
    config.compiler.compilationUnits,
    config.source.additionalFiles,
    '/compiler/compilationUnits',
  );
  if (!sources.ok) throw refusal(sources.findings);
  const request = assembleRequest(config, manifestOf(sources.files));
  const findings = [...declarationFindings(config), ...judge(MULTI_ROLE_PACKING, { request })];
  if (findings.length > 0) throw refusal(findings);
  const bytes = canonicalizeJson(request);
  if (bytes.length > LIMITS.requestBytes) throw tooLargeError();
  return { bytes, report: reportOf(request, bytes) };
}

function assembleRequest(config: PackConfig, manifest: ManifestEntry[]): CreateRequest {
  const { behaviorScenarioInputs, attestation, compiler, source } = config;
  const intent = {
    schemaVersion: CREATE_REQUEST_SCHEMA,
    context: config.context,
    contextCommitments: commitContext(config.context),
    launchWallet: config.launchWallet,
    nonce: config.nonce,
    permitWindow: config.permitWindow,
    source: sourceMembers(source, manifest),
    externalContracts: config.externalContracts,
    graphBundle: config.graphBundle,
    projectMetadata: config.projectMetadata,
    compilerVerification: compilerMembers(compiler),
    funding: config.funding,
    fundingPlan: config.fundingPlan,
    liquidityModel: config.liquidityModel,
    ...(behaviorScenarioInputs === undefined
      ? {}
      : { behaviorScenarioInputs, behaviorScenarioInputsHash: canonicalKeccak(behaviorScenarioInputs) }),
  } as const;
  // The wire schema bounds more than the configuration's, such as the manifest's length.
  return validateDocument(
    createRequestSchema,
    { ...intent, attestation, launchIntentHash: launchIntentHash(intent) },
    'MULTI_ROLE_PACK_CONFIG_INVALID',
  );
}

/** Returns `source` of a request of any family. */
export const sourceMembers = (source: PackConfig['source'], manifest: ManifestEntry[]): CreateRequest['source'] => ({
  ...source,
  bundleSha256: canonicalSha256(manifest),
  manifest,
});

/** Returns `compilerVerification` of a request of any family. */
export const compilerMembers = (compiler: PackConfig['compiler']): CreateRequest['compilerVerification'] => ({
  compilationUnits: compiler.compilationUnits.map((unit) => ({
    ...unit,
    standardJsonInputSha256: sha256Digest(decodeBase64(unit.standardJsonInputBase64)),
  })),
  components: compiler.components,
});

function reportOf(request: CreateRequest, bytes: Uint8Array): PackReport {
  const requestSha256 = sha256Digest(bytes);
  return {
    schemaVersion: 'service.multi-role-request-pack-report.v2',
    requestSha256,
    requestHash: keccak256Hex(bytes),
    sourceBundleSha256: request.source.bundleSha256,
    contextHash: request.contextCommitments.contextHash,
    artifactHash: launchCommitments(request).artifactHash,
    byteLength: bytes.length,
    idempotencyKey: defaultIdempotencyKey(requestSha256),
    productionAuthority: false,
    walletSigning: false,
    compilerExecution: 'required-on-server',
  };
}

function refusal(findings: readonly Finding[]): PackError {
  return new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', orderFindings(findings).map(toPackFinding));
}

/**
 * Maps a finding to the configuration, which calls the compiler's part `compiler`. Omits expected and actual values, because
 * they are input.
 */
function toPackFinding({ code, path, message }: Finding): PackFinding {
  return { path: path.replace(/^\/compilerVerification(?=\/|$)/, '/compiler'), message: `${code}: ${message}` };
}
