import { describe, expect, it } from '@jest/globals';
import { permitWindowFindings } from './request-form.findings.js';

const NOW = 1_790_000_000;
/** Returns the paths of the faults of a window, given by its distance from now in seconds. */
const faults = (validAfter: number, deadline: number): string[] =>
  permitWindowFindings({ validAfter: String(NOW + validAfter), deadline: String(NOW + deadline) }, NOW).map(
    ({ path }) => path.replace('/permitWindow', ''),
  );

describe('a permit window, judged to the second', () => {
  it.each<[string, number, number, string[]]>([
    ['3,600 s long', 0, 3_600, []],
    ['3,601 s long', 0, 3_601, ['']],
    ['begun 3,540 s ago', -3_540, 60, []],
    ['begun 3,600 s ago', -3_600, 0, ['/deadline']],
    ['begun 3,601 s ago', -3_601, -1, ['/validAfter', '/deadline']],
    ['beginning in 60 s', 60, 3_660, []],
    ['beginning in 61 s', 61, 3_661, ['/validAfter']],
    ['ending in 60 s', -1, 60, []],
    ['ending in 59 s', -1, 59, ['/deadline']],
    ['one second long', 60, 61, []],
    ['of zero length', 60, 60, ['/deadline']],
  ])('has the expected findings when it is %s, from %i to %i', (_what, validAfter, deadline, wrong) =>
    expect(faults(validAfter, deadline)).toEqual(wrong),
  );
});
