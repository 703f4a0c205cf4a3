import { BlockList, isIP } from 'node:net';

/**
 * The reach of a host's name or address, by its text alone. Names are not resolved, because a DNS answer may change.
 */
export type HostReach = 'loopback' | 'private' | 'public';

export interface ObserverHost {
  readonly reach: HostReach;
  /** Equal for two spellings of one host. */
  readonly key: string;
  /** The registrable domain of a public name; null for an address and for a private name. */
  readonly registrableDomain: string | null;
}

const subnets = (...ranges: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
};
/** Includes the unspecified addresses, which Linux connects to itself. */
const LOOPBACK = subnets(['127.0.0.0', 8], ['0.0.0.0', 32], ['::1', 128], ['::', 128]);
/** RFC 1918, link-local and unique local addresses. */
const PRIVATE = subnets(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
);
/** Names that no public resolver serves: `.internal` and `.local` are reserved, `.svc` belongs to a cluster. */
const PRIVATE_SUFFIX = /\.(?:internal|local|svc)$/;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
/** Second levels under a country's domain below which registrars sell names: `example.co.uk`, `example.com.br`. */
const SECOND_LEVELS = /^(?:ac|co|com|edu|gob|gov|go|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;

/**
 * Classifies a parsed URL's host. Returns null if it has none. @param hostname lowercase and in ASCII, as `URL` returns
 * it.
 */
export function observerHost(hostname: string): ObserverHost | null {
  const address = addressOf(hostname);
  if (address !== null) {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (LOOPBACK.check(address, family)) return { reach: 'loopback', key: 'loopback', registrableDomain: null };
    const reach = PRIVATE.check(address, family) ? 'private' : 'public';
    return { reach, key: address, registrableDomain: null };
  }
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (labels.includes('')) return null;
  if (labels.at(-1) === 'localhost') return { reach: 'loopback', key: 'loopback', registrableDomain: null };
  if (labels.length === 1 || PRIVATE_SUFFIX.test(name)) return { reach: 'private', key: name, registrableDomain: null };
  return { reach: 'public', key: name, registrableDomain: registrableDomainOf(labels) };
}

/** Parses an IP literal without brackets. Returns an IPv4 address mapped into IPv6 as that IPv4 address. */
function addressOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const [, high, low] = MAPPED.exec(bare) ?? [];
  if (high !== undefined && low !== undefined) {
    const bits = (parseInt(high, 16) << 16) | parseInt(low, 16);
    return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
  }
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Takes the last two labels, or three below a country's well-known second level. Without the public suffix list it may
 * group two customers of one hosting domain, which is acceptable for a warning.
 */
function registrableDomainOf(labels: readonly string[]): string {
  const [top = '', second = ''] = labels.toReversed();
  return labels.slice(top.length === 2 && SECOND_LEVELS.test(second) ? -3 : -2).join('.');
}
