import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Who asks: the connection's own address, or what the farthest proxy that is believed says of its client. Each proxy
 * appends to `X-Forwarded-For` whom it was asked by, so of a longer list the beginning is the client's own word.
 * @param trustedProxies in front of this process; 0 believes nobody.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? '';
  if (trustedProxies === 0) return own;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const hops = forwarded === '' ? [] : forwarded.split(',').map((hop) => hop.trim());
  return hops.length === 0 ? own : (hops[Math.max(0, hops.length - trustedProxies)] as string);
}

/**
 * What an anonymous client is counted by: an IPv4 address, or the /64 of an IPv6 address, which one subscriber holds
 * whole. Text that is no address (a proxy may forward any) gives null.
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

/** The first four groups, the left-out zeros written. */
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
