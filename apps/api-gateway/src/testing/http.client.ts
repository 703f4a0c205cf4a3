import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ErrorBody } from '@launch/contracts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, unchecked. */
  readonly json: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly method?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Record<string, string>;
}

/** One request, nothing followed or retried. */
export async function call(url: string, options: CallOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }) };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...options.headers },
    redirect: 'manual',
    ...(options.body === undefined ? {} : { body: options.body as Uint8Array<ArrayBuffer> }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : null };
}

export const newKey = (): string => `test-${randomBytes(12).toString('hex')}`;

export const codeOf = (answer: Answer): string => (answer.json as ErrorBody | null)?.error?.code ?? `${answer.status} ${answer.text}`;

/** A request line as bytes, for what `fetch` will not send. */
export function rawCall(url: string, options: { method: string; path?: string; headers?: Record<string, string>; chunks?: readonly Uint8Array[] }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const outgoing = httpRequest(
      { host: target.hostname, port: target.port, method: options.method, path: options.path ?? target.pathname, headers: options.headers ?? {} },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, headers: new Headers(response.headers as Record<string, string>), text, json: text.startsWith('{') ? JSON.parse(text) : null });
        });
      },
    );
    outgoing.on('error', reject);
    for (const chunk of options.chunks ?? []) outgoing.write(chunk);
    outgoing.end();
  });
}
