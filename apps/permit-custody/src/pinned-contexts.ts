import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import { type AnyLaunchContext, type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { contextSchema } from '@launch/contracts/multi-role';
import { canonicalKeccak, keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { isKnownPolicy, routerOf, type RouterIdentity } from '@launch/evm';
import type { z } from 'zod';

const encoder = new TextEncoder();

/** The releases that custody signs for: copies from its own configuration, never from a request. */
export interface PinnedContexts {
  /** The hash of the context of new requests. */
  readonly currentHash: Hex;
  /** Hashes of every context that a request may be bound to: the current one and the previous ones. */
  readonly acceptedHashes: ReadonlySet<string>;
  /** Chain and router of the EIP-712 domain: one for all of them. */
  readonly router: RouterIdentity;
}

/** The same for custom launches and plans, whose requests name their context by hash. */
export interface PinnedCustomLaunchContexts extends PinnedContexts {
  /** Every accepted context by its hash. */
  readonly contexts: ReadonlyMap<string, CustomLaunchContext>;
}

/** A previous release's document and the hash under which it is filed. */
export interface FiledContext {
  readonly contextHash: string;
  readonly document: string;
}

/**
 * Reads the context documents of the configuration. Throws if one is not a context, names two routers, follows no
 * instruction policy of this build, or lacks the signer among its permit authorities. Such a process could only refuse,
 * or produce permits that the router refuses.
 *
 * A previous context applies to requests that were reserved before a release (docs/adr/0012). It must be exactly the
 * document under its name. It names the current one's router, by address and runtime, under the same instruction
 * policy. A router is reviewed for one policy, so a second policy would mislabel it.
 */
export function pinContexts(current: string, previous: readonly FiledContext[], signerAddress: Hex): PinnedContexts {
  const { contexts: _carried, ...pinned } = pin(contextSchema, current, previous, signerAddress);
  return pinned;
}

/** Reads the contexts of custom launches and plans likewise. */
export const pinCustomLaunchContexts = (
  current: string,
  previous: readonly FiledContext[],
  signerAddress: Hex,
): PinnedCustomLaunchContexts => pin(customLaunchContextSchema, current, previous, signerAddress);

function pin<Context extends AnyLaunchContext>(
  schema: z.ZodType<Context>,
  current: string,
  previous: readonly FiledContext[],
  signerAddress: Hex,
): PinnedContexts & { readonly contexts: ReadonlyMap<string, Context> } {
  const context = readContext(schema, 'the configured context', encoder.encode(current), signerAddress);
  const currentHash = canonicalKeccak(context);
  const contexts = new Map<string, Context>([[currentHash, context]]);
  for (const { contextHash, document } of previous) {
    const name = `the previous context ${contextHash}`;
    const bytes = encoder.encode(document);
    if (keccak256Hex(bytes) !== contextHash) throw new TypeError(`${name} is another document than its name says`);
    const before = readContext(schema, name, bytes, signerAddress);
    requireSameRouter(name, before, context);
    contexts.set(contextHash, before);
  }
  return { currentHash, acceptedHashes: new Set(contexts.keys()), router: routerOf(context), contexts };
}

function readContext<Context extends AnyLaunchContext>(
  schema: z.ZodType<Context>,
  name: string,
  bytes: Uint8Array,
  signerAddress: Hex,
): Context {
  const context = parseContext(schema, name, bytes);
  const { chainBindings, chainDeployment, profile } = context;
  if (!chainBindings.permitAuthorities.includes(signerAddress))
    throw new TypeError(`the permit key is not a permit authority of ${name}`);
  if (chainBindings.router !== chainDeployment.router.address) throw new TypeError(`${name} names two routers`);
  const { id, policyHash, document } = profile.instructionPolicy;
  if (!isKnownPolicy(id, policyHash) || canonicalKeccak(document) !== policyHash)
    throw new TypeError(`${name} follows no instruction policy of this build`);
  return context;
}

function parseContext<Context>(schema: z.ZodType<Context>, name: string, bytes: Uint8Array): Context {
  try {
    return schema.parse(parseStrictJson(bytes));
  } catch (cause) {
    throw new TypeError(`${name} is no context${cause instanceof StrictJsonError ? `: ${cause.code}` : ''}`, { cause });
  }
}

function requireSameRouter(name: string, previous: AnyLaunchContext, current: AnyLaunchContext): void {
  if (canonicalKeccak(previous.chainDeployment.router) !== canonicalKeccak(current.chainDeployment.router)) {
    throw new TypeError(`${name} is of another router than the configured context`);
  }
  if (previous.profile.instructionPolicy.policyHash !== current.profile.instructionPolicy.policyHash) {
    throw new TypeError(`${name} follows another instruction policy than the configured context on the same router`);
  }
}
