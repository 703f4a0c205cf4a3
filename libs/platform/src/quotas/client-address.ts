import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the client's address: that of the connection, or the one that the outermost trusted proxy reports. Each proxy
 * appends the address of its own client to `X-Forwarded-For`, so earlier entries of a longer list are the client's own
 * claims.
 * @param trustedProxies in front of this process; 0 trusts no header.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? '';
  if (trustedProxies === 0) return own;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const hops = forwarded === '' ? [] : forwarded.split(',').map((hop) => hop.trim());
  return hops.length === 0 ? own : (hops[Math.max(0, hops.length - trustedProxies)] as string);
}

/**
 * Returns the key under which an anonymous client is counted: an IPv4 address, or the /64 of an IPv6 address, which one
 * subscriber holds completely. Returns null for a text that is not an address (a proxy may forward any).
 */
export function addressKey(text: string): string | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  switch (isIP(mapped)) {
    case 4:
      return mapped;
    case 6:
      return `${network(mapped.split('%', 1)[0] ?? '')}::/64`;
    default:
      return null;
  }
}

/** Returns the first four groups with the omitted zeros. */
function network(address: string): string {
  const [head = '', tail] = address.split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const groups =
    tail === undefined
      ? groupsOf(head)
      : [
          ...groupsOf(head),
          ...Array<string>(8 - groupsOf(head).length - groupsOf(tail).length).fill('0'),
          ...groupsOf(tail),
        ];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
