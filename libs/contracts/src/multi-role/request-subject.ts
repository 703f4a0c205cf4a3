import { z } from 'zod';
import { assertCanonicalJson } from '../json/canonical-json.js';
import { StrictJsonError } from '../json/strict-json.error.js';
import { keccak256Hex } from '../primitives/digest.js';
import { addressSchema, uint256Schema } from '../primitives/scalars.schema.js';
import type { LaunchRefusal } from './refusal.schema.js';

/** Whose nonce a request takes, on which router. */
export type RequestSubject = Pick<LaunchRefusal, 'requestHash' | 'controller' | 'nonce' | 'router'>;

/** Open, unlike the request's own schema: a launch can be refused whose request a build cannot read whole. */
const subjectSchema = z.object({
  launchWallet: addressSchema,
  nonce: uint256Schema,
  context: z.object({ chainDeployment: z.object({ router: z.object({ address: addressSchema }) }) }),
});

/** The subject that a request's own bytes name; null for bytes that are no canonical JSON or name none. */
export function requestSubjectOf(bytes: Uint8Array): RequestSubject | null {
  const parsed = subjectSchema.safeParse(read(bytes));
  if (!parsed.success) return null;
  const { launchWallet, nonce, context } = parsed.data;
  return {
    requestHash: keccak256Hex(bytes),
    controller: launchWallet,
    nonce,
    router: context.chainDeployment.router.address,
  };
}

function read(bytes: Uint8Array): unknown {
  try {
    return assertCanonicalJson(bytes);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}
