import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';

/** Parses strict JSON. Returns undefined for anything else, which the schema then refuses. */
export function strictJsonOf(input: Uint8Array | string): unknown {
  try {
    return parseStrictJson(typeof input === 'string' ? new TextEncoder().encode(input) : input);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}
