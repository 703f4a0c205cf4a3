import type { IncomingHttpHeaders } from 'node:http';

/** No two repetitions of spaces are adjacent: a header may be 16 KiB of them. */
const JSON_UTF8 = /^application\/json(?:[ \t]*;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8"))?(?:[ \t]*;)?[ \t]*$/i;

/**
 * Reports whether a body has the headers that every route accepts: `application/json`, charset UTF-8 if any, no content
 * encoding.
 */
export function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return (
    JSON_UTF8.test(headers['content-type'] ?? '') &&
    (encoding === undefined || encoding.trim().toLowerCase() === 'identity')
  );
}

/** Reports whether the client requested problem details (RFC 9457) by name; wildcards get the plain contract. */
export function wantsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'application/problem+json' && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
