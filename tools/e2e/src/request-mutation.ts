import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { launchIntentHash, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalKeccak, canonicalSha256, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { initCodeOf, predictedAddress, routerOf, type Hex } from '@launch/evm';
import { collectSources, manifestOf } from '@launch/launch-rules';
import { hexToBytes } from 'viem';

/** The parts that a mutation may change; everything derived from them is sealed again. */
export type MutableRequest = { -readonly [K in keyof CreateRequest]: CreateRequest[K] };

/** Returns a deep copy that a test may change. */
export const thaw = (request: CreateRequest): MutableRequest => structuredClone(request) as MutableRequest;

export interface Standard {
  sources: Record<string, { content: string }>;
  settings: Record<string, unknown>;
}

/** The sources of a request of any family, and the values derived from them. */
type Sourced = Pick<MutableRequest, 'compilerVerification' | 'source'> & {
  readonly graphBundle: Pick<MutableRequest['graphBundle'], 'sourceBundleSha256'>;
};

/** Changes the Standard JSON input of the first compilation unit. */
export function editStandardJson(
  request: Pick<Sourced, 'compilerVerification'>,
  edit: (input: Standard) => void,
): void {
  const unit = request.compilerVerification.compilationUnits[0]!;
  const input = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as Standard;
  edit(input);
  unit.standardJsonInputBase64 = Buffer.from(canonicalizeJson(input)).toString('base64');
}

/** Computes the digests of changed sources again. */
export function resealSources(request: Sourced): void {
  for (const unit of request.compilerVerification.compilationUnits) {
    unit.standardJsonInputSha256 = sha256Digest(Buffer.from(unit.standardJsonInputBase64, 'base64'));
  }
  const collected = collectSources(request.compilerVerification.compilationUnits, request.source.additionalFiles, '');
  if (collected.ok) {
    request.source.manifest = manifestOf(collected.files);
    request.source.bundleSha256 = canonicalSha256(request.source.manifest);
    request.graphBundle.sourceBundleSha256 = request.source.bundleSha256;
  }
}

/**
 * Makes a changed request consistent again, as a careful client's packer would. Every digest, commitment and hash is
 * computed from its parts, so that only the meaning of the mutation can be refused.
 */
export function reseal(request: MutableRequest): Uint8Array {
  resealSources(request);
  for (const component of request.graphBundle.components) {
    component.expectedRuntimeCodeHash = keccak256Hex(hexToBytes(component.expectedRuntimeCode));
    const compilation = request.compilerVerification.components.find(
      (entry) => entry.componentId === component.componentId,
    );
    if (compilation !== undefined)
      compilation.constructor.argumentsHash = keccak256Hex(hexToBytes(component.constructorArgs));
  }
  request.contextCommitments = commitContext(request.context);
  if (request.behaviorScenarioInputs !== undefined)
    request.behaviorScenarioInputsHash = canonicalKeccak(request.behaviorScenarioInputs);
  request.launchIntentHash = launchIntentHash(request);
  return canonicalizeJson(request);
}

const HOOK_ROLE = 2;
const TOKEN_ROLE = 1;

/** Returns the component with the hook's role: the last one of an inventory project, the only one of a combined one. */
export const hookOf = ({ graphBundle }: MutableRequest) =>
  graphBundle.components.find(({ roleMask }) => (roleMask & HOOK_ROLE) !== 0)!;

/**
 * Moves the hook, which may be the token too, to the address of its changed code and salt, and updates all references.
 */
export function relocate(request: MutableRequest, children: (account: Hex) => Hex): void {
  const component = hookOf(request);
  const account = predictedAddress({
    deployer: routerOf(request.context).router,
    salt: component.salt,
    initCode: initCodeOf(component.creationBytecode, component.constructorArgs),
  });
  component.predictedAddress = account;
  if ((component.roleMask & TOKEN_ROLE) !== 0) request.graphBundle.officialPool.poolKey.currency1 = account;
  request.graphBundle.officialPool.poolKey.hooks = account;
  const child = request.graphBundle.children[0];
  if (child !== undefined) child.account = children(account);
}

/** Parses the request of canonical bytes, for a test to copy and change. */
export const requestOf = (bytes: Uint8Array): CreateRequest => parseStrictJson(bytes) as unknown as CreateRequest;
