import { describe, expect, it } from '@jest/globals';
import { FramedPages } from './framed-pages.js';
import { SettledCounters } from './settled-counters.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (page: Uint8Array) => new TextDecoder().decode(page);

describe('a framed page', () => {
  it('is the same memory while its items and its frame stay the same, and new memory once one changes', () => {
    const pages = new FramedPages();
    const items = bytes('[1]');
    const first = pages.bytesOf(items, ['<', '>']);
    expect(text(first)).toBe('<[1]>');
    expect(pages.bytesOf(items, ['<', '>'])).toBe(first);
    expect(text(pages.bytesOf(items, ['<', ']']))).toBe('<[1]]');
    expect(text(pages.bytesOf(items, ['{', '>']))).toBe('{[1]>');
    const others = bytes('[1]');
    expect(pages.bytesOf(others, ['<', '>'])).not.toBe(first);
    expect(text(first)).toBe('<[1]>');
  });
});

describe('settled counters', () => {
  const read = (second: number, published = 3) => ({
    source: 3,
    published,
    quarantined: 0,
    asOf: new Date(1_795_000_000_000 + second * 1_000),
  });

  it('keep the time of their first reading for five seconds, and no longer', () => {
    const settled = new SettledCounters();
    const first = read(0);
    expect(settled.of(first)).toBe(first);
    expect(settled.of(read(4.999))).toBe(first);
    const later = read(5);
    expect(settled.of(later)).toBe(later);
  });

  it('are reported at once when one of them changed, or when the clock was set back', () => {
    const settled = new SettledCounters();
    settled.of(read(0));
    expect(settled.of(read(1, 2))).toEqual(read(1, 2));
    expect(settled.of(read(-60, 2))).toEqual(read(-60, 2));
  });
});
