import { describe, expect, it } from '@jest/globals';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { suiteOrder } from './suite-order.mjs';

const suite = (name: string, seconds: number, waits = false) => ({ name, seconds, waits });
const named = (suites: readonly { name: string }[]): string => suites.map(({ name }) => name).join('');

describe('the order of suites', () => {
  it('is the slowest first where none waits', () => {
    expect(named(suiteOrder([suite('a', 1), suite('b', 3), suite('c', 2)], 2))).toBe('bca');
  });

  it('begins a suite that waits when the one before it has ended', () => {
    const suites = [
      suite('W', 10, true),
      suite('V', 8, true),
      suite('a', 6),
      suite('b', 5),
      suite('c', 4),
      suite('d', 3),
    ];
    // Three workers: a ends at 6 and b at 5 while W waits; V follows W at 10, beside c and d.
    expect(named(suiteOrder(suites, 3))).toBe('WabcdV');
    expect(named(suiteOrder(suites.slice(0, 3), 3))).toBe('WaV');
  });

  it('leaves none out, whatever waits', () => {
    for (let choice = 0; choice < 32; choice++) {
      const suites = Array.from({ length: 5 }, (_, nth) => suite(String(nth), nth, ((choice >> nth) & 1) === 1));
      expect([...named(suiteOrder(suites, 2))].sort().join('')).toBe('01234');
    }
  });
});
