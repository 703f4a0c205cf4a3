import { describe, expect, it } from '@jest/globals';
import { VisitorBounds } from './visitor-bounds.js';

const bounds = { pages: { quantity: 1, windowSeconds: 60, burst: 3 }, places: 5, placesOfVisitor: 2 };

describe('The bounds of the site', () => {
  it('refuse the pages of one visitor over its quota, with the seconds to wait, and none of another visitor.', () => {
    const site = new VisitorBounds(bounds);
    expect([1, 2, 3].map(() => site.countPage('a'))).toEqual([null, null, null]);
    expect(site.countPage('a')).toBe(60);
    expect(site.countPage('b')).toBeNull();
  });

  it('leave places for other visitors when one visitor has all of its own.', () => {
    const site = new VisitorBounds(bounds);
    const leave = [site.enter('a'), site.enter('a')];
    expect([site.enter('a'), site.enter('b')]).toEqual([null, expect.any(Function)]);
    leave[0]?.();
    // A response ends once, even if it is reported twice.
    leave[0]?.();
    expect([site.enter('a'), site.enter('a')]).toEqual([expect.any(Function), null]);
  });

  it('bound the responses to all visitors together.', () => {
    const site = new VisitorBounds(bounds);
    const taken = ['a', 'b', 'c', 'd', 'e'].map((visitor) => site.enter(visitor));
    expect(taken).not.toContain(null);
    expect(site.enter('f')).toBeNull();
    taken[0]?.();
    expect(site.enter('f')).not.toBeNull();
  });
});
