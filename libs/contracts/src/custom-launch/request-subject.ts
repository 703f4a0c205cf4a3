import { z } from 'zod';
import { parseStrictJson } from '../json/strict-json.parser.js';
import { StrictJsonError } from '../json/strict-json.error.js';
import { keccak256Hex } from '../primitives/digest.js';
import { addressSchema, bytes32Schema, uint256Schema, type Hex } from '../primitives/scalars.schema.js';

/** Whose nonce a custom-launch request or a plan takes. The router is that of the context that it names. */
export interface CustomLaunchSubject {
  readonly requestHash: Hex;
  readonly controller: Hex;
  /** Decimal uint256. */
  readonly nonce: string;
  readonly contextHash: Hex;
}

/** Open, unlike the bodies' own schemas: a launch can be refused whose request a build cannot read whole. */
const subjectSchema = z.object({ launchWallet: addressSchema, nonce: uint256Schema, contextHash: bytes32Schema });

/** The subject that a body's own bytes name; null for bytes that are no strict JSON or name none. */
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
