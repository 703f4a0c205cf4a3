import { readFileSync } from 'node:fs';
import { decodeUtf8 } from '@launch/contracts/json';

/** What Node puts in place of each byte of an argument that is no UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * Whether an argument may have lost bytes when Node decoded it. One with U+FFFD is accepted only where the system shows that
 * the character itself was given.
 */
export const isMisencoded = (argument: string): boolean =>
  argument.includes(REPLACEMENT) && !givenArguments().has(argument);

/** The arguments of this process that are UTF-8, by their bytes; none where the system does not show them. */
function givenArguments(): ReadonlySet<string> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync('/proc/self/cmdline');
  } catch {
    // No such file but on Linux.
    return new Set();
  }
  const given = new Set<string>();
  for (let start = 0, end = bytes.indexOf(0); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) {
    const text = decodeUtf8(bytes.subarray(start, end));
    if (text !== undefined) given.add(text);
  }
  return given;
}
