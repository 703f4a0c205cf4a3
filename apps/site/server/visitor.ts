import type { IncomingMessage } from 'node:http';
import { addressKey, clientAddress } from '@launch/platform/quotas';

/** The client of a request, as its address identifies it. */
export interface Visitor {
  readonly address: string;
  /** The key under which this server and the gateway count the address. */
  readonly key: string;
}

/**
 * Returns the visitor of a request. A visitor can claim any address in `X-Forwarded-For`; only the entry that the outermost
 * trusted proxy appended counts.
 */
export function visitorOf(request: IncomingMessage, trustedProxies: number): Visitor {
  const reported = clientAddress(request, trustedProxies);
  const address = addressKey(reported) === null ? (request.socket.remoteAddress ?? '') : reported;
  return { address, key: addressKey(address) ?? 'unknown' };
}

/**
 * Returns the headers that name the visitor to the gateway. They replace what the visitor sent: the list has one entry, so
 * that the gateway trusts the same number of proxies for this server as for its own clients.
 */
export const naming = ({ address }: Visitor): Record<string, string> =>
  address === '' ? {} : { 'x-forwarded-for': address };
