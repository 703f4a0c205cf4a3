import { canonicalKeccak } from '../primitives/digest.js';
import type { ContextCommitments, LaunchContext } from './context.schema.js';

/** The keccak-256 of the canonical JSON of the context and of each of its parts; a request carries them all. */
export function commitContext(context: LaunchContext): ContextCommitments {
  return {
    contextHash: canonicalKeccak(context),
    profileHash: canonicalKeccak(context.profile),
    chainDeploymentHash: canonicalKeccak(context.chainDeployment),
    providerProfileHash: canonicalKeccak(context.providerProfile),
    chainBindingsHash: canonicalKeccak(context.chainBindings),
    instructionPolicyHash: canonicalKeccak(context.profile.instructionPolicy.document),
  };
}
