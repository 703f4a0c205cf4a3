import { expect, it } from '@jest/globals';
import { walletPageOf } from './wallet-page.js';

const PAGE = 'https://site.example/wallet/launches/a1';
const HEX = 'c'.repeat(64);

it.each([
  ['the digest of the request in its fragment', PAGE, `sha256:${HEX}`, `${PAGE}#request=${HEX}`],
  ['no fragment without the request', PAGE, undefined, PAGE],
  ['no address where the service gives none', null, `sha256:${HEX}`, null],
])('The wallet page has %s.', (_what, walletUrl, digest, shown) => expect(walletPageOf(walletUrl, digest)).toBe(shown));
