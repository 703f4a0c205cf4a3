import { readFileSync } from 'node:fs';
import { decodeUtf8 } from '@launch/contracts/json';

/** The character that Node substitutes for each byte of an argument that is not UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * Returns whether an argument may have lost bytes when Node decoded it. Accepts an argument with U+FFFD only if the system
 * shows that the caller gave that character.
 */
export const isMisencoded = (argument: string): boolean =>
  argument.includes(REPLACEMENT) && !givenArguments().has(argument);

/** Returns the UTF-8 arguments of this process, read as bytes; empty if the system does not show them. */
function givenArguments(): ReadonlySet<string> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync('/proc/self/cmdline');
  } catch {
    // Only Linux has this file.
    return new Set();
  }
  const given = new Set<string>();
  for (let start = 0, end = bytes.indexOf(0); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) {
    const text = decodeUtf8(bytes.subarray(start, end));
    if (text !== undefined) given.add(text);
  }
  return given;
}
