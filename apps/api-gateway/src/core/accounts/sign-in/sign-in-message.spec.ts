import { describe, expect, it } from '@jest/globals';
import { parseSignInMessage } from './sign-in-message.js';

/** The example in EIP-4361. */
const EXAMPLE = `example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`;

describe('A sign-in message', () => {
  it('is parsed completely', () => {
    expect(parseSignInMessage(EXAMPLE)).toEqual({
      scheme: null,
      domain: 'example.com',
      address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      statement: 'I accept the ExampleOrg Terms of Service: https://example.com/tos',
      uri: 'https://example.com/login',
      chainId: '1',
      nonce: '32891756',
      issuedAt: Date.UTC(2021, 8, 30, 16, 25, 24),
      expirationTime: null,
      notBefore: null,
      requestId: null,
      resources: [
        'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
        'https://example.com/my-web2-claim.json',
      ],
    });
  });

  it('has an optional scheme, statement, times and request id', () => {
    const text = EXAMPLE.replace('example.com wants', 'https://example.com:8080 wants')
      .replace('I accept the ExampleOrg Terms of Service: https://example.com/tos\n', '')
      .replace(
        /Resources:[\s\S]*/,
        'Expiration Time: 2021-09-30T16:35:24.5+02:00\nNot Before: 2021-09-30T16:25:24Z\nRequest ID: abc',
      );
    expect(parseSignInMessage(text)).toMatchObject({
      scheme: 'https',
      domain: 'example.com:8080',
      statement: null,
      expirationTime: Date.UTC(2021, 8, 30, 14, 35, 24, 500),
      notBefore: Date.UTC(2021, 8, 30, 16, 25, 24),
      requestId: 'abc',
      resources: [],
    });
  });

  it.each([
    ['an end of line behind it', (text: string) => `${text}\n`],
    ['carriage returns', (text: string) => text.replaceAll('\n', '\r\n')],
    [
      'an address without its checksum',
      (text: string) =>
        text.replace('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'),
    ],
    ['another version', (text: string) => text.replace('Version: 1', 'Version: 2')],
    ['no version', (text: string) => text.replace('Version: 1\n', '')],
    ['fields in another order', (text: string) => text.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
    ['a field twice', (text: string) => text.replace('Nonce: 32891756', 'Nonce: 32891756\nNonce: 32891756')],
    ['an unknown field', (text: string) => text.replace('Resources:', 'Colour: red\nResources:')],
    ['a short nonce', (text: string) => text.replace('32891756', '3289175')],
    ['a nonce with signs in it', (text: string) => text.replace('32891756', '32891756-')],
    ['a chain id with a leading zero', (text: string) => text.replace('Chain ID: 1', 'Chain ID: 01')],
    ['a day that does not exist', (text: string) => text.replace('2021-09-30', '2021-09-31')],
    ['a time without a zone', (text: string) => text.replace('16:25:24Z', '16:25:24')],
    ['a statement of two lines', (text: string) => text.replace('Terms of', 'Terms\nof')],
    ['a statement with what the grammar leaves out', (text: string) => text.replace('Terms of', 'Terms "of"')],
    ['a resource that is none', (text: string) => text.replace('- ipfs', 'ipfs')],
    ['no address', (text: string) => text.replace('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\n', '')],
    ['another greeting', (text: string) => text.replace('wants you to sign in', 'wants you to log in')],
    ['a space in the domain', (text: string) => text.replace('example.com wants', 'example. com wants')],
    ['too much', (text: string) => text.replace('Terms', 'T'.repeat(5_000))],
    ['nothing', () => ''],
  ])('with %s is refused', (_name, change) => {
    expect(change(EXAMPLE)).not.toBe(EXAMPLE);
    expect(parseSignInMessage(change(EXAMPLE))).toBeNull();
  });

  it('is refused when it is cut at any point', () => {
    const body = EXAMPLE.replace(/\nResources:[\s\S]*/, '');
    expect(parseSignInMessage(body)).not.toBeNull();
    const cuts = Array.from({ length: body.length - 'Z'.length }, (_, length) => body.slice(0, length)).filter(
      (cut) => parseSignInMessage(cut) !== null,
    );
    expect(cuts).toEqual([]);
  });
});
