import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The chain's endpoint as one side sees it: its questions are counted, and wait while the chain is being changed. */
export interface GatedRpc {
  /** Several, because two observers are of two origins. */
  readonly urls: readonly string[];
  /** Questions by method, those of a batch each by itself. */
  counts(): ReadonlyMap<string, number>;
  /** Exchanges over the wire. */
  exchanges(): number;
  /** Returns the time of the first request for logs, by `performance.now()`. */
  firstAskedForLogs(): number | null;
  /** Lets what is under way end, and nothing begin. */
  hold(): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

export async function gateRpc(chainUrl: string, origins: number): Promise<GatedRpc> {
  const gate = new Gate(new URL(chainUrl));
  const servers = await Promise.all(Array.from({ length: origins }, () => gate.listen()));
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    counts: () => gate.counts,
    exchanges: () => gate.exchanges,
    firstAskedForLogs: () => gate.firstLogs,
    hold: () => gate.hold(),
    release: () => gate.release(),
    async close() {
      gate.release();
      const closed = servers.map((server) => once(server, 'close'));
      for (const server of servers) server.close().closeAllConnections();
      await Promise.all(closed);
      gate.agent.destroy();
    },
  };
}

class Gate {
  readonly agent = new Agent({ keepAlive: true });
  readonly counts = new Map<string, number>();
  exchanges = 0;
  firstLogs: number | null = null;
  #underWay = 0;
  #drained: (() => void) | undefined;
  #open: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(private readonly chain: URL) {}

  async listen(): Promise<Server> {
    const server = createServer((question, answer) => void this.#pass(question, answer));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  async hold(): Promise<void> {
    this.#open = new Promise((resolve) => (this.#release = resolve));
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  release(): void {
    this.#release();
  }

  async #pass(question: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of question) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    await this.#open;
    this.#count(body);
    this.#underWay += 1;
    const done = (): void => {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#drained?.();
    };
    answer.once('close', done);
    const passed = request(
      this.chain,
      {
        method: 'POST',
        agent: this.agent,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      (upstream) => {
        answer.writeHead(upstream.statusCode ?? 502, { 'content-type': 'application/json' });
        upstream.pipe(answer);
      },
    );
    passed.once('error', () => answer.destroy());
    passed.end(body);
  }

  #count(body: Buffer): void {
    const said = JSON.parse(body.toString()) as { method: string } | readonly { method: string }[];
    this.exchanges += 1;
    for (const { method } of Array.isArray(said) ? said : [said]) {
      this.counts.set(method, (this.counts.get(method) ?? 0) + 1);
      if (method === 'eth_getLogs') this.firstLogs ??= performance.now();
    }
  }
}
