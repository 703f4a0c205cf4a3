import { type LaunchContext, type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { ErrorBody } from '@launch/contracts/validation';
import { untilEvaluated } from '@launch/start';
import { noteCodes } from '@launch/testing';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface LaunchApi {
  readonly send: (
    method: string,
    path: string,
    options?: { body?: string | Buffer<ArrayBuffer>; headers?: Record<string, string>; key?: string | null },
  ) => Promise<Answer>;
  readonly create: (
    bytes: Uint8Array,
    idempotencyKey: string,
    key?: string,
  ) => Promise<Answer<LaunchResource | ErrorBody>>;
  readonly preflight: (bytes: Uint8Array) => Promise<Answer>;
  readonly get: (launchId: string, key?: string) => Promise<LaunchResource>;
  readonly context: () => Promise<LaunchContext>;
  /** Polls until the launch satisfies the condition. @throws Error with its last state after the timeout. */
  readonly until: (
    launchId: string,
    condition: (resource: LaunchResource) => boolean,
    timeoutMs?: number,
  ) => Promise<LaunchResource>;
}

/** Milliseconds between two polls of a waiting test. Each poll takes the gateway's time from other suites. */
export const POLL_MS = 400;
/** The timeout of a wait, equal to Jest's, for machines that are busy with other work. */
const PATIENCE_MS = 180_000;

/**
 * Calls the API as a program without the product's client does, with raw bytes and raw status. Only a pending
 * preflight is repeated.
 */
export function launchApi(gateway: string, apiKey: string): LaunchApi {
  const send: LaunchApi['send'] = async (method, path, { body, headers = {}, key = apiKey } = {}) => {
    const response = await fetch(`${gateway}${path.startsWith('/') ? path : `${MULTI_ROLE_BASE_PATH}/${path}`}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    noteCodes(answer);
    return { status: response.status, headers: response.headers, body: answer };
  };
  const create: LaunchApi['create'] = async (bytes, idempotencyKey, key = apiKey) =>
    (await send('POST', MULTI_ROLE_BASE_PATH, {
      body: Buffer.from(bytes),
      key,
      headers: { 'idempotency-key': idempotencyKey },
    })) as Answer<LaunchResource | ErrorBody>;
  const get: LaunchApi['get'] = async (launchId, key = apiKey) => {
    const answer = await send('GET', launchId, { key });
    if (answer.status !== 200)
      throw new Error(`GET ${launchId} answers ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as LaunchResource;
  };
  return {
    send,
    create,
    get,
    preflight: (bytes) =>
      untilEvaluated(
        () => send('POST', 'preflight', { body: Buffer.from(bytes) }),
        (answer) => answer.status === 503 && errorOf(answer).code === 'PREFLIGHT_PENDING',
      ),
    context: async () =>
      ((await send('GET', 'capabilities', { key: null })).body as { context: LaunchContext }).context,
    async until(launchId, condition, timeoutMs = PATIENCE_MS) {
      const deadline = Date.now() + timeoutMs;
      let last: LaunchResource | string = 'never answered';
      while (Date.now() < deadline) {
        try {
          last = await get(launchId);
          if (condition(last)) return last;
        } catch (error) {
          // A service that is being killed or restarted does not answer, which some tests require.
          last = String(error);
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      const where =
        typeof last === 'string'
          ? last
          : `${last.status}, finality ${last.finality.state}, findings ${last.findings.map((finding) => finding.code).join(',')}`;
      throw new Error(`launch ${launchId} did not get there in ${timeoutMs} ms: ${where}`);
    },
  };
}

export const errorOf = (answer: Answer): ErrorBody['error'] => (answer.body as ErrorBody).error;
export const codesOf = (answer: Answer): string[] => errorOf(answer).findings.map((finding) => finding.code);
export const isTerminal = (resource: LaunchResource): boolean =>
  ['action_required', 'failed', 'expired', 'finalized'].includes(resource.status);
