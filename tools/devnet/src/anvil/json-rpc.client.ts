import { Agent, request } from 'node:http';
import { z } from 'zod';
import { DevnetError } from '../devnet.errors.js';

const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});
const batchSchema = z.array(answerSchema.extend({ id: z.int() }));

/** Reads with short answers. Those of one moment go in one exchange; calls that change the chain go separately. */
const IN_COMPANY = /^(eth_(blockNumber|chainId|call|getCode|getBlockBy\w+|getTransaction\w+)|txpool_status)$/;
const LONGEST_BATCH = 64;

export type RpcAnswer = z.output<typeof answerSchema>;

/** JSON-RPC to one anvil over keep-alive connections. */
export interface JsonRpcClient {
  readonly url: string;
  /** Returns the answer unchanged, including an error. @throws DevnetError `RPC_FAILED` only without an answer. */
  ask(method: string, params: readonly unknown[]): Promise<RpcAnswer>;
  /** Returns the result. @throws DevnetError `RPC_FAILED`, also for an error answer. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Returns `eth_blockNumber` as a number. */
  head(): Promise<number>;
  close(): void;
}

interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly resolve: (answer: RpcAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

export function createJsonRpcClient(url: string): JsonRpcClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const target = new URL(url);
  let waiting: Question[] = [];

  function ask(method: string, params: readonly unknown[]): Promise<RpcAnswer> {
    return new Promise((resolve, reject) => {
      const question = { method, params, resolve, reject };
      if (!IN_COMPANY.test(method)) return void exchange([question]);
      if (waiting.push(question) === 1) setImmediate(askWaiting);
    });
  }

  function askWaiting(): void {
    const questions = waiting;
    waiting = [];
    for (let from = 0; from < questions.length; from += LONGEST_BATCH)
      void exchange(questions.slice(from, from + LONGEST_BATCH));
  }

  async function exchange(questions: readonly Question[]): Promise<void> {
    const calls = questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    try {
      const answers = answersIn(
        await post(agent, target, JSON.stringify(calls.length === 1 ? calls[0] : calls)),
        calls,
      );
      questions.forEach(({ resolve }, index) => resolve(answers[index]!));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const answer = await ask(method, params);
    if (answer.error !== undefined) {
      throw new DevnetError('RPC_FAILED', answer.error.message, { method, rpcCode: answer.error.code });
    }
    return answer.result;
  }

  return {
    url,
    ask,
    call,
    head: async () => Number(await call('eth_blockNumber')),
    close: () => agent.destroy(),
  };
}

/** Returns one answer per call, in their order; the answers of a batch arrive in any order. */
function answersIn(text: string, calls: readonly { readonly id: number; readonly method: string }[]): RpcAnswer[] {
  const said = parseJson(text);
  const batch = batchSchema.safeParse(calls.length === 1 ? [said] : said);
  return calls.map(({ id, method }) => {
    const answer = batch.data?.find((each) => each.id === id);
    if (answer === undefined) throw new DevnetError('RPC_FAILED', 'the chain answered no JSON-RPC', { method });
    const { id: _id, ...rest } = answer;
    return rest;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function post(agent: Agent, target: URL, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new DevnetError('RPC_FAILED', 'the chain did not answer', { cause: cause.message }, { cause }));
    const outgoing = request(
      {
        agent,
        hostname: target.hostname,
        port: target.port,
        path: '/',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        timeout: TIMEOUT_MS,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_RESPONSE_BYTES) incoming.destroy(new Error('answer too large'));
          else chunks.push(chunk);
        });
        incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        incoming.on('error', fail);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
