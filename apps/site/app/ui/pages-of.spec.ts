import { describe, expect, it } from '@jest/globals';
import { pagesOf } from './pages-of.js';

describe('The pages of a list', () => {
  it.each([
    [1, 1, [1]],
    [1, 2, [1, 2]],
    [1, 9, [1, 2, 'gap', 9]],
    [5, 9, [1, 'gap', 4, 5, 6, 'gap', 9]],
    [4, 9, [1, 2, 3, 4, 5, 'gap', 9]],
    [9, 9, [1, 'gap', 8, 9]],
  ] as const)('from page %s of %s are %j', (current, last, pages) => {
    expect(pagesOf(current, last)).toEqual(pages);
  });
});
