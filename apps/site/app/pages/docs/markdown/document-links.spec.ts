import { describe, expect, it } from '@jest/globals';
import { rewriteLink } from './document-links.js';

const TARGETS = {
  documents: new Set(['/docs/guides/finality.md', '/docs/reference/errors.md']),
  gatewayUrl: 'https://api.launch.example',
};
const AT = '/docs/guides/finality.md';

describe('A link of a document', () => {
  it.each([
    ['#stages', '#stages'],
    ['finality.md#stages', '#stages'],
    ['../reference/errors.md', '/docs/reference/errors'],
    ['../reference/errors.md#codes', '/docs/reference/errors#codes'],
    ['/v4/errors#CHAIN_LAGGING', '/docs/errors#CHAIN_LAGGING'],
    ['/docs', '/docs/api'],
    ['/openapi.json', 'https://api.launch.example/openapi.json'],
    ['/v4/discovery?a=b', 'https://api.launch.example/v4/discovery?a=b'],
    ['https://eips.ethereum.org/EIPS/eip-712', 'https://eips.ethereum.org/EIPS/eip-712'],
  ])('to %s leads to %s', (target, shown) => {
    expect(rewriteLink(target, AT, TARGETS)).toBe(shown);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://plain.example/', 'mailto:a@launch.example'])(
    'to %s is text, because only HTTPS leaves the site',
    (target) => {
      expect(rewriteLink(target, AT, TARGETS)).toBeNull();
    },
  );

  it.each(['operating.md', '../../LICENSE', '../adr/README.md'])(
    'to %s, which the service does not publish, is text',
    (target) => {
      expect(rewriteLink(target, AT, TARGETS)).toBeNull();
    },
  );
});
