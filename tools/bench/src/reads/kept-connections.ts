import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Asked {
  readonly port: number;
  readonly path: string;
  /** Header lines besides, each with its end. */
  readonly headers?: string;
  /** Length of the first answer's body, from which later ones may differ by `AGE_BYTES`. */
  readonly bodyBytes: number;
  /** 304 for a question that names the entity tag; 200 by itself. */
  readonly status?: 200 | 304;
}

/** An answer may name ages and lags, each of which can gain or lose digits while it is measured. */
const AGE_BYTES = 64;

/**
 * Asks `count` times over `connections` kept connections and returns answers per second. The next question on each goes as soon
 * as the answer to the last is there. It parses only the end of an answer, because on a machine of few cores a client's own
 * work would dominate the measurement. @throws Error when an answer has another status, or a length that no age explains.
 */
export async function answersPerSecond(
  { port, path, bodyBytes, headers = '', status = 200 }: Asked,
  connections: number,
  count: number,
): Promise<number> {
  const question = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}\r\n`);
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    let left = count;
    const startedAt = performance.now();
    await Promise.all(
      sockets.map((socket) => askInTurn(socket, () => (left-- > 0 ? question : null), { bodyBytes, status })),
    );
    return (count * 1_000) / (performance.now() - startedAt);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function askInTurn(
  socket: Socket,
  next: () => Buffer | null,
  { bodyBytes, status }: Required<Pick<Asked, 'bodyBytes' | 'status'>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    /** Bytes of the body that are still to come; null while the head is. */
    let missing: number | null = null;
    const ask = (): void => {
      head = '';
      missing = null;
      const question = next();
      if (question === null) resolve();
      else socket.write(question);
    };
    socket.on('error', reject).on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      if (missing === null) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = status === 200 ? Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]) : bodyBytes;
        if (!head.startsWith(`HTTP/1.1 ${status} `) || !(Math.abs(length - bodyBytes) <= AGE_BYTES)) {
          reject(new Error(`an answer is not the one that was measured: ${head.slice(0, 300)}`));
          return;
        }
        missing = length - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing <= 0) ask();
    });
    ask();
  });
}
