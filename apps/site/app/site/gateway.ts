import { ApiClientError, type ApiClient, type InputOf, type Operation, type OperationId } from '@launch/sdk/operations';

/** A value of the gateway, or the reason why the page has none. A failed read is never an empty result. */
export type Read<Value> =
  | { readonly is: 'value'; readonly value: Value }
  | { readonly is: 'absent'; readonly message: string }
  | { readonly is: 'unavailable'; readonly code: string; readonly message: string; readonly requestId: string | null };

type SuccessOf<Id extends OperationId> = Extract<
  Awaited<ReturnType<ApiClient['call']>> extends never ? never : Awaited<ReturnType<typeof callOf<Id>>>,
  { readonly status: 200 }
>['value'];

/**
 * Calls a public read, and once more if no answer came: a gateway that is being replaced closes its idle connections, perhaps one
 * that a read has just been sent on. A read can be repeated (RFC 9110, 9.2.2).
 */
export async function callOf<Id extends OperationId>(api: ApiClient, operation: Operation<Id>, input: InputOf<Id>) {
  try {
    return await api.call(operation, input);
  } catch (error) {
    if (error instanceof ApiClientError && error.code === 'SERVICE_UNREACHABLE') return api.call(operation, input);
    throw error;
  }
}

/** Reads a public route. It throws nothing: a page shows the state of each of its reads. */
export const readPublic = <Id extends OperationId>(
  api: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
): Promise<Read<SuccessOf<Id>>> => readAnswer(api, operation, input, ({ value }) => value as SuccessOf<Id>);

/** Reads a public route whose answer is a text, such as a Markdown document. */
export const readText = <Id extends OperationId>(
  api: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
): Promise<Read<string>> => readAnswer(api, operation, input, ({ bytes }) => new TextDecoder().decode(bytes));

async function readAnswer<Id extends OperationId, Value>(
  api: ApiClient,
  operation: Operation<Id>,
  input: InputOf<Id>,
  take: (answer: { readonly value: unknown; readonly bytes: Uint8Array }) => Value,
): Promise<Read<Value>> {
  try {
    const answer = await callOf(api, operation, input);
    if (answer.status === 200) return { is: 'value', value: take(answer) };
    const { code, message, requestId } = refusalIn(answer.value);
    if (answer.status === 404 || answer.status === 410) return { is: 'absent', message };
    return { is: 'unavailable', code, message, requestId };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Says why a call has no answer. The server gives up the reads of a page whose time is over, or whose visitor left.
 * @throws the error itself if it is none of a call's: it is a fault of the site
 */
export function failureOf(error: unknown): Extract<Read<never>, { readonly is: 'unavailable' }> {
  if (error instanceof ApiClientError)
    return { is: 'unavailable', code: error.code, message: error.message, requestId: null };
  if (error instanceof DOMException)
    return { is: 'unavailable', code: 'ANSWER_TOO_SLOW', message: 'the answer took too long', requestId: null };
  throw error;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
}

function refusalIn(body: unknown): Refusal {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { readonly error?: Partial<Refusal> };
  return {
    code: error?.code ?? 'UNKNOWN',
    message: error?.message ?? 'The service gave no reason.',
    requestId: error?.requestId ?? null,
  };
}
