import type { IncomingMessage } from 'node:http';
import { refusal, type ApiError } from '../errors/api.error.js';

/** Target, names and values of a head, together. */
const MAX_HEAD_BYTES = 16 * 1024;
/** In a head that is too large, a target above this is what makes it so. */
const MAX_TARGET_BYTES = 8 * 1024;
/** As much as Node's parser reads of a head, so that one a little too large still gets an answer like every other. */
export const PARSED_HEAD_BYTES = 48 * 1024;
/** Of these Node keeps the first and drops the others, while a proxy before it may have judged another. */
const ONCE = ['host', 'authorization', 'content-type'] as const;

const VERSIONS = ['1.0', '1.1'];
/** No host has any of these. */
const HOST = /^[^\s/?#@\\]*$/;

/** What is wrong with a head whatever it asks for; null when nothing is (RFC 9110, 5.3; RFC 9112, 3, 3.2 and 6.3). */
export function headFault({ url: target = '', rawHeaders, headers, httpVersion }: IncomingMessage): ApiError | null {
  let bytes = target.length;
  for (const text of rawHeaders) bytes += text.length;
  if (bytes >= MAX_HEAD_BYTES) {
    return target.length > MAX_TARGET_BYTES
      ? targetTooLong()
      : refusal('HEADER_INVALID', '', { expected: `a head below ${MAX_HEAD_BYTES} bytes`, actual: `${bytes} bytes` });
  }
  for (const name of ONCE) {
    const count = countOf(rawHeaders, name);
    if (count > 1) return refusal('HEADER_INVALID', '', { expected: `one ${name} header`, actual: `${count} of them` });
  }
  if (headers.host === undefined ? httpVersion === '1.1' : !HOST.test(headers.host))
    return refusal('HEADER_INVALID', '', { expected: 'a host header' });
  if (!VERSIONS.includes(httpVersion))
    return refusal('HEADER_INVALID', '', { expected: 'HTTP/1.1', actual: `HTTP/${httpVersion}` });
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    // Nobody knows the end of such a body, nor the beginning of the next request (RFC 9112, 6.3).
    return refusal(
      'HEADER_INVALID',
      '',
      { expected: 'transfer-encoding: chunked' },
      { headers: { connection: 'close' } },
    );
  }
  return null;
}

/** How often a head has a header; names stand at even places. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * A target as servers are asked: a path and a query. Proxies and some clients name the origin too (RFC 9112, 3.2.2); what
 * is neither (`*`, the authority of CONNECT) becomes a path that names nothing.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

export const targetTooLong = (): ApiError =>
  refusal('TARGET_TOO_LONG', '', { expected: `a head below ${MAX_HEAD_BYTES} bytes, the target among it` });
