import { describe, expect, it } from '@jest/globals';
import { keepTicksFast } from './garbage-collection.js';

describe('keepTicksFast', () => {
  it('finds a record of process.nextTick to keep, and leaves later ticks as they are', async () => {
    expect(keepTicksFast()).toBe(true);
    const ticked = await new Promise((resolve) => process.nextTick(resolve, 'ticked'));
    expect(ticked).toBe('ticked');
  });
});
