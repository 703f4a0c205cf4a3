import { randomBytes } from 'node:crypto';

/** Version 00 of W3C Trace Context. An id of zeros only is invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Returns the `traceparent` header of all calls of a command: that of the variable `TRACEPARENT`, which a build server sets to
 * continue its own trace, or the header of a new trace. An invalid variable is ignored, as the W3C recommendation requires.
 */
export function traceHeaders(environment: Readonly<Record<string, string | undefined>>): {
  readonly traceparent: string;
} {
  const given = environment['TRACEPARENT'];
  if (given !== undefined && TRACEPARENT.test(given)) return { traceparent: given };
  return { traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01` };
}
