import type { Hex } from '@launch/contracts/primitives';
import { getAddress } from 'viem/utils';

/** A Sign-In-With-Ethereum message (EIP-4361, version 1), parsed by its ABNF. Times are Unix milliseconds. */
export interface SignInMessage {
  readonly scheme: string | null;
  readonly domain: string;
  /** Checksummed, as in the message. */
  readonly address: Hex;
  readonly statement: string | null;
  readonly uri: string;
  readonly chainId: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expirationTime: number | null;
  readonly notBefore: number | null;
  readonly requestId: string | null;
  readonly resources: readonly string[];
}

const MAX_CHARACTERS = 4_096;
const HEADER =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):\/\/)?([A-Za-z0-9._~!$&'()*+,;=:@%[\]-]+) wants you to sign in with your Ethereum account:$/;
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*$/;
const STATEMENT = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;= -]+$/;
const REQUEST_ID = /^[A-Za-z0-9._~!$&'()*+,;=:@%-]*$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses a message strictly: every line in its place, no further lines, LF alone, a checksummed address. Returns null for
 * everything else. The service judges the meaning of a message.
 */
export function parseSignInMessage(text: string): SignInMessage | null {
  if (text.length > MAX_CHARACTERS) return null;
  const lines = text.split('\n');
  const header = HEADER.exec(lines[0] ?? '');
  const address = lines[1] ?? '';
  if (header === null || !isChecksummed(address) || lines[2] !== '') return null;
  // Without a statement only its line is left out, not the empty lines around it (EIP-4361, ABNF).
  const hasStatement = lines[3] !== '';
  const statement = hasStatement ? (lines[3] ?? '') : null;
  if (statement !== null && (!STATEMENT.test(statement) || lines[4] !== '')) return null;
  const reader = new FieldReader(lines.slice(hasStatement ? 5 : 4));
  const uri = reader.field('URI: ');
  const version = reader.field('Version: ');
  const chainId = reader.field('Chain ID: ');
  const nonce = reader.field('Nonce: ');
  const issuedAt = timeOf(reader.field('Issued At: '));
  const expiration = reader.field('Expiration Time: ');
  const notBefore = reader.field('Not Before: ');
  const requestId = reader.field('Request ID: ');
  const resources = reader.resources();
  const expirationTime = expiration === null ? null : timeOf(expiration);
  const notBeforeTime = notBefore === null ? null : timeOf(notBefore);
  const isComplete =
    resources !== null &&
    reader.isDone() &&
    uri !== null &&
    URI.test(uri) &&
    version === '1' &&
    chainId !== null &&
    /^[1-9][0-9]{0,15}$/.test(chainId) &&
    nonce !== null &&
    /^[A-Za-z0-9]{8,128}$/.test(nonce) &&
    !Number.isNaN(issuedAt) &&
    !Number.isNaN(expirationTime) &&
    !Number.isNaN(notBeforeTime) &&
    (requestId === null || REQUEST_ID.test(requestId));
  if (!isComplete) return null;
  return {
    scheme: header[1] ?? null,
    domain: header[2] ?? '',
    address,
    statement,
    uri,
    chainId,
    nonce,
    issuedAt,
    expirationTime,
    notBefore: notBeforeTime,
    requestId,
    resources,
  };
}

function isChecksummed(address: string): address is Hex {
  return /^0x[0-9a-fA-F]{40}$/.test(address) && getAddress(address.toLowerCase()) === address;
}

/** Returns the milliseconds of an RFC 3339 time; NaN for another form or for a day that does not exist. */
function timeOf(text: string | null): number {
  const match = text === null ? null : DATE_TIME.exec(text);
  if (match === null || text === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const named = new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!));
  const exists =
    named.getUTCMonth() === month! - 1 && named.getUTCDate() === day && hour! < 24 && minute! < 60 && second! < 60;
  return exists ? Date.parse(text) : Number.NaN;
}

class FieldReader {
  private next = 0;
  constructor(private readonly lines: readonly string[]) {}

  /** Returns the rest of the next line if it begins with the label. Otherwise returns null and does not advance. */
  field(label: string): string | null {
    const line = this.lines[this.next];
    if (line === undefined || !line.startsWith(label)) return null;
    this.next += 1;
    return line.slice(label.length);
  }

  /** Returns null when a line of the list is not a resource. */
  resources(): readonly string[] | null {
    if (this.lines[this.next] !== 'Resources:') return [];
    this.next += 1;
    const uris = this.lines.slice(this.next).map((line) => (line.startsWith('- ') ? line.slice(2) : ''));
    this.next = this.lines.length;
    return uris.every((uri) => URI.test(uri)) ? uris : null;
  }

  isDone(): boolean {
    return this.next === this.lines.length;
  }
}
