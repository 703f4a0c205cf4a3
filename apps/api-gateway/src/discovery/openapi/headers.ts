import { catalogueEntry, type ErrorCode } from '@launch/contracts';

type Json = Readonly<Record<string, unknown>>;

const ALWAYS = {
  'X-Request-Id': 'Names this exchange to support.',
  RateLimit: 'What is left of the quota.',
  'RateLimit-Policy': 'The quota.',
};

/** What errors of a status carry besides. */
const OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'The scheme: Bearer.' },
  405: { Allow: 'The methods this path has.' },
  415: { Accept: 'The media type the route takes.' },
};

/** Response headers of an answer, with those that every answer has. */
export const headersOf = (more: Readonly<Record<string, string>> = {}): Json =>
  Object.fromEntries(
    Object.entries({ ...ALWAYS, ...more }).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

/** Response headers of the errors of one status. */
export const headersOfErrors = (status: number, codes: readonly ErrorCode[]): Json =>
  headersOf({
    ...OF_STATUS[status],
    ...(codes.some((code) => catalogueEntry(code).retryable) ? { 'Retry-After': 'Seconds to wait.' } : {}),
  });
