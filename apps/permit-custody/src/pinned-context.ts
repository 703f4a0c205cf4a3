import { canonicalKeccak, contextSchema, type LaunchContext } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import { routerOf, type RouterIdentity } from '@launch/evm';

/** The one release custody signs for: its own copy, from its own configuration, never a request's. */
export interface PinnedContext {
  readonly context: LaunchContext;
  readonly contextHash: string;
  /** Chain and router of the EIP-712 domain. */
  readonly router: RouterIdentity;
}

/**
 * Reads the context document of the configuration. Throws when it is no context, or when the signer is not one of
 * its permit authorities: such a process could only produce permits that the router refuses.
 */
export function pinContext(document: string, signerAddress: string): PinnedContext {
  const context = contextSchema.parse(parseStrictJson(new TextEncoder().encode(document)));
  if (!context.chainBindings.permitAuthorities.includes(signerAddress)) {
    throw new TypeError('the permit key is not a permit authority of the configured context');
  }
  if (context.chainBindings.router !== context.chainDeployment.router.address) {
    throw new TypeError('the configured context names two routers');
  }
  return { context, contextHash: canonicalKeccak(context), router: routerOf(context) };
}
