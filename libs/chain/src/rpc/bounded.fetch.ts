import type { RpcLimits } from './rpc-limits.js';

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * A fetch that reads the whole body before it resolves, so that the transport's timeout covers a stalled body too. It
 * stops at the size bound whatever the headers say. Redirects are refused: the answer must come from the configured
 * origin.
 */
export const boundedFetch =
  (limits: Pick<RpcLimits, 'answerBytes'>) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > limits.answerBytes) throw new AnswerTooLarge();
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), {
      status: response.status,
      statusText: response.statusText,
      headers: bodyHeaders(response),
    });
  };

/** The body is decoded already: its old length and encoding no longer describe it. */
function bodyHeaders(response: Response): Headers {
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}
