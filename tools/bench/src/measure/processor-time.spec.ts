import { describe, expect, it } from '@jest/globals';
import { familyProcessorTime, ownProcessorTime, parseStat } from './processor-time.js';

describe('processor time', () => {
  it.each([
    ['4711 (node) S 17 4711 4711 0 -1 4194560 1 2 3 4 120 30 7 8 20 0 11', { parent: 17, milliseconds: 1_500 }],
    ['4711 (a) S) (b) S 18 4711 4711 0 -1 4194560 1 2 3 4 1 0 7 8 20 0 11', { parent: 18, milliseconds: 10 }],
  ])('of %s', (stat, expected) => {
    expect(parseStat(stat)).toEqual(expected);
  });

  it('of the family is at least our own, where it is told', () => {
    const own = ownProcessorTime();
    expect(familyProcessorTime() ?? own).toBeGreaterThanOrEqual(own);
  });
});
