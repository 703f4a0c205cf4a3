const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Reads the origin of a service: HTTPS, or HTTP on this machine, with no path, query or credentials.
 * @returns the origin, or the fault of the text.
 */
export function readOrigin(text: string): { readonly origin: string } | { readonly fault: string } {
  if (!URL.canParse(text)) return { fault: 'is not a URL' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    return { fault: 'is neither https nor http on loopback' };
  const isMore = url.pathname !== '/' || url.username !== '' || url.password !== '' || /[?#]/.test(text);
  return isMore ? { fault: 'is more than an origin' } : { origin: url.origin };
}
