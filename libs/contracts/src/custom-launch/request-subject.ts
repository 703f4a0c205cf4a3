import { z } from 'zod';
import { parseStrictJson } from '../json/strict-json.parser.js';
import { StrictJsonError } from '../json/strict-json.error.js';
import { keccak256Hex } from '../primitives/digest.js';
import { addressSchema, bytes32Schema, uint256Schema, type Hex } from '../primitives/scalars.schema.js';

/**
 * The account whose nonce a custom-launch request or a plan uses. The router is the router of the context that the
 * request names.
 */
export interface CustomLaunchSubject {
  readonly requestHash: Hex;
  readonly controller: Hex;
  /** Decimal uint256. */
  readonly nonce: string;
  readonly contextHash: Hex;
}

/**
 * This schema is open, unlike the schemas of the bodies, so that admission can refuse a launch whose request it cannot
 * read completely.
 */
const subjectSchema = z.object({ launchWallet: addressSchema, nonce: uint256Schema, contextHash: bytes32Schema });

/** Returns the subject that the bytes of a body name; null if the bytes are not strict JSON or name none. */
export function customLaunchSubjectOf(bytes: Uint8Array): CustomLaunchSubject | null {
  const parsed = subjectSchema.safeParse(read(bytes));
  if (!parsed.success) return null;
  const { launchWallet: controller, nonce, contextHash } = parsed.data;
  return { requestHash: keccak256Hex(bytes), controller, nonce, contextHash };
}

function read(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}
