import { z } from 'zod';
import { assertCanonicalJson } from '../json/canonical-json.js';
import { StrictJsonError } from '../json/strict-json.error.js';
import { keccak256Hex } from '../primitives/digest.js';
import { addressSchema, uint256Schema } from '../primitives/scalars.schema.js';
import type { LaunchRefusal } from './refusal.schema.js';

/** The account whose nonce a request uses, and the router. */
export type RequestSubject = Pick<LaunchRefusal, 'requestHash' | 'controller' | 'nonce' | 'router'>;

/**
 * This schema is open, unlike the schema of the request, so that admission can refuse a launch whose request it cannot
 * read completely.
 */
const subjectSchema = z.object({
  launchWallet: addressSchema,
  nonce: uint256Schema,
  context: z.object({ chainDeployment: z.object({ router: z.object({ address: addressSchema }) }) }),
});

/** Returns the subject that the bytes of a request name; null if the bytes are not canonical JSON or name none. */
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
