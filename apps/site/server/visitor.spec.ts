import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { naming, visitorOf } from './visitor.js';

const PROXY = '192.0.2.1';
const requestWith = (forwarded?: string | string[]): IncomingMessage =>
  ({
    socket: { remoteAddress: PROXY },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('The visitor of a request', () => {
  it.each([
    ['the connection without trusted proxies, whatever the visitor claims', '203.0.113.7', 0, PROXY, PROXY],
    [
      'the entry of the proxy, after the claims of the visitor',
      '10.0.0.1, 203.0.113.7',
      1,
      '203.0.113.7',
      '203.0.113.7',
    ],
    ['the connection, if the proxy names no address', 'unknown', 1, PROXY, PROXY],
    ['counted by the /64 of an IPv6 address', '2001:db8::1:2', 1, '2001:db8::1:2', '2001:db8:0:0::/64'],
  ])('is %s.', (_which, forwarded, trustedProxies, address, key) =>
    expect(visitorOf(requestWith(forwarded), trustedProxies)).toEqual({ address, key }),
  );

  it('is named to the gateway by one address, without the claims of the visitor.', () => {
    expect(naming(visitorOf(requestWith('10.0.0.1, 203.0.113.7'), 1))).toEqual({ 'x-forwarded-for': '203.0.113.7' });
    expect(naming({ address: '', key: 'unknown' })).toEqual({});
  });
});
