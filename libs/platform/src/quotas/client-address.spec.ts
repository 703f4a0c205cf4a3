import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { addressKey, clientAddress } from './client-address.js';

describe('An anonymous client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['203.0.113.7:443', null],
    ['unknown', null],
    ['', null],
    ['x'.repeat(10_000), null],
  ])('with the address %s is counted as %s', (text, key) => expect(addressKey(text)).toBe(key));
});

describe('The address of a client', () => {
  const asked = (forwarded: string | undefined, trustedProxies: number): string =>
    clientAddress(
      {
        socket: { remoteAddress: '192.0.2.1' },
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      } as unknown as IncomingMessage,
      trustedProxies,
    );

  it.each([
    ['the connection, without trusted proxies', '203.0.113.7', 0, '192.0.2.1'],
    ['the connection, without a header', undefined, 2, '192.0.2.1'],
    ['the connection, with an empty header', '', 1, '192.0.2.1'],
    ['whom one proxy names', '203.0.113.7', 1, '203.0.113.7'],
    ['the last entry, behind one proxy', '10.0.0.1, 203.0.113.7', 1, '203.0.113.7'],
    ['the last but one, behind two proxies', '10.0.0.1 ,  203.0.113.7,198.51.100.2', 2, '203.0.113.7'],
    ['the first entry, if there are fewer entries than trusted proxies', '203.0.113.7, 198.51.100.2', 5, '203.0.113.7'],
    ['a text that is not an address', 'unknown', 1, 'unknown'],
  ])('is %s', (_who, forwarded, trustedProxies, address) => expect(asked(forwarded, trustedProxies)).toBe(address));
});
