import { describe, expect, it } from '@jest/globals';
import { offeredLink } from './untrusted-link.js';

describe('A link of a launcher', () => {
  it.each([
    ['https://coin.example/a', 'https://coin.example/a'],
    ['HTTPS://COIN.example', 'https://coin.example/'],
    ['https://xn--e1awd7f.example', 'https://xn--e1awd7f.example/'],
  ])('can be followed when it is HTTPS: %s.', (text, href) => {
    expect(offeredLink(text)).toBe(href);
  });

  it.each([
    'http://coin.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    'https://bank.example@coin.example',
    'coin',
    '',
  ])('stays text when it is "%s".', (text) => {
    expect(offeredLink(text)).toBeNull();
  });
});
