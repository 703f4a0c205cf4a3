import { ClientError } from './client.error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const KEY = /^[\x21-\x7e]{1,512}$/;

const invalid = (path: string, message: string): ClientError =>
  new ClientError('MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID', { findings: [{ path, message }] });

/** Reads `SERVICE_API_BASE_URL`: an HTTPS origin, or an HTTP one on this machine; no path, query or credentials. */
export function readOrigin(environment: Environment): string {
  const text = environment['SERVICE_API_BASE_URL'] ?? '';
  if (!URL.canParse(text)) throw invalid('SERVICE_API_BASE_URL', 'is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname))) {
    throw invalid('SERVICE_API_BASE_URL', 'is neither https nor http on loopback');
  }
  if (
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== '' ||
    /[?#]/.test(text)
  ) {
    throw invalid('SERVICE_API_BASE_URL', 'is more than an origin');
  }
  return url.origin;
}

/** Reads `SERVICE_API_KEY`: printable ASCII without spaces, so that it can only be a header value. */
export function readApiKey(environment: Environment): string {
  const key = environment['SERVICE_API_KEY'] ?? '';
  if (!KEY.test(key)) throw invalid('SERVICE_API_KEY', 'is missing or not printable ASCII of at most 512 characters');
  return key;
}
