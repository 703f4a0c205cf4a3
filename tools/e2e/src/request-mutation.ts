import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { launchIntentHash, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalKeccak, canonicalSha256, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { initCodeOf, predictedAddress, routerOf, type Hex } from '@launch/evm';
import { collectSources, manifestOf } from '@launch/launch-rules';
import { hexToBytes } from 'viem';

/** What a mutation may change; everything that follows from it is sealed again. */
export type MutableRequest = { -readonly [K in keyof CreateRequest]: CreateRequest[K] };

/** A deep copy that a test may change. */
export const thaw = (request: CreateRequest): MutableRequest => structuredClone(request) as MutableRequest;

export interface Standard {
  sources: Record<string, { content: string }>;
  settings: Record<string, unknown>;
}

/** What the sources of a request are, of any family, and what follows from them. */
type Sourced = Pick<MutableRequest, 'compilerVerification' | 'source'> & {
  readonly graphBundle: Pick<MutableRequest['graphBundle'], 'sourceBundleSha256'>;
};

/** Changes the first compilation unit's Standard JSON input. */
export function editStandardJson(
  request: Pick<Sourced, 'compilerVerification'>,
  edit: (input: Standard) => void,
): void {
  const unit = request.compilerVerification.compilationUnits[0]!;
  const input = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as Standard;
  edit(input);
  unit.standardJsonInputBase64 = Buffer.from(canonicalizeJson(input)).toString('base64');
}

/** Makes the digests of changed sources follow from them again. */
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
 * Makes a changed request consistent with itself again, as a careful client's packer would. Every digest, commitment
 * and hash follows from the parts, so that only the mutation's own meaning is left to be refused.
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

/** The component with the hook's role: the last of an inventory project, the only one of a combined one. */
export const hookOf = ({ graphBundle }: MutableRequest) =>
  graphBundle.components.find(({ roleMask }) => (roleMask & HOOK_ROLE) !== 0)!;

/** Moves the hook, which may be the token too, and everything that names it to where its changed code and salt put it. */
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

/** The request of canonical bytes, for a test to thaw. */
export const requestOf = (bytes: Uint8Array): CreateRequest => parseStrictJson(bytes) as unknown as CreateRequest;
