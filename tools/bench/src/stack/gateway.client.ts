import { Agent, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { type LaunchResource, launchResourceSchema, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';

type IdName = 'launchId' | 'planId' | 'submissionId';

/** The launch API over kept connections, with as little work on this side as HTTP allows. */
export interface GatewayClient {
  /**
   * Creates a launch, a plan or a module draft under a key of its own and returns its id.
   * @param route of the family; of multi-role launches when absent.
   * @throws Error unless the gateway reserves or receives it.
   */
  create(bytes: Uint8Array, route?: string): Promise<string>;
  launch(launchId: string): Promise<LaunchResource>;
  /** @throws Error unless the answer is 200. */
  read(path: string): Promise<unknown>;
  close(): void;
}

export function gatewayClient(origin: string, apiKey: string): GatewayClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const authorization = `Bearer ${apiKey}`;

  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: Uint8Array,
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        `${origin}${path}`,
        { method, agent, headers: { authorization, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
          answer.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  const read: GatewayClient['read'] = async (path) => {
    const { status, text } = await send('GET', path, {});
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as unknown;
  };

  return {
    read,
    async create(bytes, route = MULTI_ROLE_BASE_PATH) {
      const headers = {
        'content-type': 'application/json',
        'content-length': String(bytes.byteLength),
        'idempotency-key': `bench-${randomUUID()}`,
      };
      const { status, text } = await send('POST', route, headers, bytes);
      if (status !== 202 && status !== 201) throw new Error(`create answers ${status}: ${text.slice(0, 300)}`);
      const { launchId, planId, submissionId } = JSON.parse(text) as Partial<Record<IdName, string>>;
      const id = launchId ?? planId ?? submissionId;
      if (id === undefined) throw new Error(`create answers no id: ${text.slice(0, 300)}`);
      return id;
    },
    launch: async (launchId) => launchResourceSchema.parse(await read(`${MULTI_ROLE_BASE_PATH}/${launchId}`)),
    close: () => agent.destroy(),
  };
}
