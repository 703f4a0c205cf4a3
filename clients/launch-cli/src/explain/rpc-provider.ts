import { exchange, ExchangeError, readJson } from '@launch/client-core/transport';
import type { WalletProvider } from '@launch/handoff';
import type { World } from '../command.js';
import { LaunchError } from '../launch.error.js';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/** An error that an endpoint returned, in the form in which wallets throw it. */
class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/**
 * Returns a provider over one JSON-RPC endpoint. An endpoint has no accounts: the controller takes the place of the selected one.
 * @throws {LaunchError} for a URL that is neither https nor http on this machine
 */
export function rpcProvider(text: string, controller: string, { signal }: World): WalletProvider {
  const url = endpointOf(text);
  return {
    async request({ method, params = [] }) {
      if (method === 'eth_accounts') return [controller];
      return answerOf(await post(url, { jsonrpc: '2.0', id: 1, method, params }, signal), method);
    },
  };
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--rpc is neither https nor http on this machine');
}

async function post(url: URL, body: object, signal: AbortSignal): Promise<unknown> {
  try {
    return readJson(
      await exchange({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(body)),
        maxBytes: MAX_ANSWER_BYTES,
        deadlineMs: DEADLINE_MS,
        signal,
      }),
    );
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    throw new LaunchError('LAUNCH_CLI_SERVICE_UNREACHABLE', `--rpc: ${error.message}`);
  }
}

/** @throws {RpcError} for the endpoint's own error, {LaunchError} for an answer that is none of JSON-RPC */
function answerOf(answer: unknown, method: string): unknown {
  const body = typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};
  const { error } = body;
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error as {
      readonly code?: unknown;
      readonly message?: unknown;
      readonly data?: unknown;
    };
    throw new RpcError(Number(code), typeof message === 'string' ? message : 'no message', data);
  }
  if (!('result' in body)) throw new LaunchError('LAUNCH_CLI_ANSWER_INVALID', `--rpc: no result of ${method}`);
  return body['result'];
}

/** Returns the failure of a command for an endpoint's error; other errors as they are. */
export const rpcFailure = (error: unknown): unknown =>
  error instanceof RpcError ? new LaunchError('LAUNCH_CLI_ANSWER_INVALID', `--rpc: ${error.message}`) : error;
