import type { z } from 'zod';
import { canonicalKeccak } from '../primitives/digest.js';
import type { contextCommitmentsSchema } from './context-parts.schema.js';

export type ContextCommitments = z.infer<typeof contextCommitmentsSchema>;

/** The parts of a published context of any family that a commitment names. */
interface CommittedContext {
  readonly profile: { readonly instructionPolicy: { readonly document: unknown } };
  readonly chainDeployment: unknown;
  readonly providerProfile: unknown;
  readonly chainBindings: unknown;
}

/** Returns the keccak-256 of the canonical JSON of the context and of each of its parts. */
export function commitContext(context: CommittedContext): ContextCommitments {
  return {
    contextHash: canonicalKeccak(context),
    profileHash: canonicalKeccak(context.profile),
    chainDeploymentHash: canonicalKeccak(context.chainDeployment),
    providerProfileHash: canonicalKeccak(context.providerProfile),
    chainBindingsHash: canonicalKeccak(context.chainBindings),
    instructionPolicyHash: canonicalKeccak(context.profile.instructionPolicy.document),
  };
}
