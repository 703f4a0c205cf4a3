import { ChainError } from '../chain.error.js';
import { asksTooManyAtOnce } from '../reads/log-range.js';
import type { RpcObserver } from '../rpc/observer.js';

/** Requests sent in parallel if an endpoint accepts no batch; a smaller batch is not tried either. */
const SIDE_BY_SIDE = 8;

/**
 * Sends many requests of one method and returns their answers in order; an answer may be an error. If the endpoint
 * accepts no batch, sends them singly; if its proxy refuses the number, sends half of them at a time.
 * @throws ChainError if there is no answer at all.
 */
export async function askMany(
  observer: RpcObserver,
  method: string,
  questions: readonly (readonly unknown[])[],
): Promise<readonly unknown[]> {
  if (questions.length === 0) return [];
  if (observer.requestMany !== undefined && questions.length > 1) {
    try {
      return await observer.requestMany(method, questions);
    } catch (error) {
      if (asksTooManyAtOnce(error) && questions.length > SIDE_BY_SIDE) return askInHalves(observer, method, questions);
      if (!(error instanceof ChainError) || !REFUSES_BATCHES.has(error.code)) throw error;
    }
  }
  const answers: unknown[] = [];
  for (let first = 0; first < questions.length; first += SIDE_BY_SIDE) {
    const some = questions.slice(first, first + SIDE_BY_SIDE);
    answers.push(...(await Promise.all(some.map((params) => answerOrError(observer, method, params)))));
  }
  return answers;
}

/** Sends both halves in sequence, because in parallel they would be as many as before. */
async function askInHalves(
  observer: RpcObserver,
  method: string,
  questions: readonly (readonly unknown[])[],
): Promise<readonly unknown[]> {
  const half = Math.ceil(questions.length / 2);
  const first = await askMany(observer, method, questions.slice(0, half));
  return [...first, ...(await askMany(observer, method, questions.slice(half)))];
}

const REFUSES_BATCHES: ReadonlySet<string> = new Set([
  'RPC_REFUSED',
  'RPC_ANSWER_INVALID',
  'RPC_METHOD_MISSING',
  'RPC_ANSWER_TOO_LARGE',
  'RPC_REQUEST_TOO_LARGE',
]);

async function answerOrError(observer: RpcObserver, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await observer.request(method, params);
  } catch (error) {
    if (error instanceof ChainError) return error;
    throw error;
  }
}
