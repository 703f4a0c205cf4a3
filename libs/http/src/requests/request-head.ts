import type { IncomingMessage } from 'node:http';
import { refusal, type ApiError } from '../errors/api.error.js';

/** The most bytes of target, names and values of a head together. */
const MAX_HEAD_BYTES = 16 * 1024;
/** In an oversized head, a target above this length is reported as the cause. */
const MAX_TARGET_BYTES = 8 * 1024;
/** The bytes of a head that Node's parser accepts, so that a slightly oversized one still gets a regular answer. */
export const PARSED_HEAD_BYTES = 48 * 1024;
/** Node keeps the first of these headers and drops the others, while a proxy in front of it may have used another. */
const ONCE = ['host', 'authorization', 'content-type'] as const;

const VERSIONS = ['1.0', '1.1'];
/** No host contains any of these characters. */
const HOST = /^[^\s/?#@\\]*$/;

/** Returns a head's fault independent of its route, or null (RFC 9110, 5.3; RFC 9112, 3, 3.2 and 6.3). */
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
    // Neither the end of such a body nor the beginning of the next request is known (RFC 9112, 6.3).
    return refusal(
      'HEADER_INVALID',
      '',
      { expected: 'transfer-encoding: chunked' },
      { headers: { connection: 'close' } },
    );
  }
  return null;
}

/** Counts a header in a head; names have even indexes. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Returns a target in origin form: a path and a query. Proxies and some clients also name the origin (RFC 9112, 3.2.2).
 * Any other target (`*`, the authority of CONNECT) becomes a path that matches no route.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

export const targetTooLong = (): ApiError =>
  refusal('TARGET_TOO_LONG', '', { expected: `a head below ${MAX_HEAD_BYTES} bytes, the target among it` });
