import { describe, expect, it } from '@jest/globals';
import { loadableImage, visibleText } from './untrusted.js';

describe('Text of a launcher', () => {
  it.each([
    ['Atlas', 'Atlas'],
    ['Münze 币 عملة', 'Münze 币 عملة'],
    ['safe\u202egnp.exe', 'safe[U+202E]gnp.exe'],
    ['A\u2066B\u2069', 'A[U+2066]B[U+2069]'],
    ['US\u200bDC', 'US[U+200B]DC'],
    ['a\nb\tc\u0000', 'a[U+000A]b[U+0009]c[U+0000]'],
    ['\ufeff\u00ad\u3164', '[U+FEFF][U+00AD][U+3164]'],
    ['lone \ud800 end', 'lone \ufffd end'],
    ['👩‍🚀 coin ❤️', '👩‍🚀 coin ❤️'],
  ])('shows %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('keeps two marks of a letter, so that a name cannot cover other lines', () => {
    expect(visibleText(`e${'\u0301'.repeat(40)}`)).toBe('e\u0301\u0301');
  });

  it('ends after the given number of characters and never inside one', () => {
    expect(visibleText('🚀🚀🚀', 2)).toBe('🚀🚀…');
    expect(visibleText('abc', 3)).toBe('abc');
  });
});

describe('An image', () => {
  const settings = { gatewayUrl: 'https://api.launch.example', siteUrl: 'https://launch.example' };
  it.each([
    ['https://api.launch.example/image/1', 'https://api.launch.example/image/1'],
    ['https://launch.example/a.png', 'https://launch.example/a.png'],
  ])('%s of the service is loaded', (url, loaded) => {
    expect(loadableImage(url, settings)).toBe(loaded);
  });
  it.each([
    null,
    '',
    'https://coin.example/a.png',
    'ipfs://bafy',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'https://api.launch.example.evil.example/a.png',
    'http://api.launch.example/a.png',
  ])('%j of another origin is not loaded', (url) => {
    expect(loadableImage(url, settings)).toBeNull();
    expect(loadableImage(url, { ...settings, siteUrl: null })).toBeNull();
  });
});
