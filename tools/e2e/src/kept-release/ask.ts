import type { KeptAnswer } from './kept-release.js';

export type Question = Pick<KeptAnswer, 'name' | 'method' | 'path' | 'key' | 'headers' | 'body'>;
export type Heard = Pick<KeptAnswer, 'at' | 'status' | 'answerHeaders' | 'answer'>;

/** Of the connection, the moment or the configured quota: no answer's own. */
const PASSING_HEADERS = new Set([
  'connection',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'transfer-encoding',
  'x-request-id',
]);

/** Asks one question of a gateway and keeps the answer's status, headers and exact bytes. */
export async function ask(
  origin: string,
  question: Question,
  of: { readonly keys: Readonly<Record<string, string>>; readonly blob: (sha256: string) => Uint8Array },
): Promise<Heard> {
  const { method, path, key, headers, body } = question;
  const secret = key === null ? null : of.keys[key];
  if (secret === undefined) throw new TypeError(`${question.name}: there is no key ${key}`);
  const at = new Date().toISOString();
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === null ? {} : { body: Buffer.from('text' in body ? body.text : of.blob(body.sha256)) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString('utf8');
  return {
    at,
    status: response.status,
    answerHeaders: Object.fromEntries([...response.headers].filter(([name]) => !PASSING_HEADERS.has(name)).sort()),
    answer: Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') },
  };
}
