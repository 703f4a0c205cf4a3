import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DRAIN_BOUNDS, type DrainBounds, LingeringClose } from '@launch/http';

const HOUR = 3_600_000;
const PATIENT: DrainBounds = { bytes: DRAIN_BOUNDS.bytes, totalMs: HOUR, silentMs: HOUR };
const ANSWER = 'no thank you';

let server: Server;
let closing: LingeringClose;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a server that answers every request before it reads the body. */
async function refusing(bounds: DrainBounds): Promise<void> {
  closing = new LingeringClose(bounds);
  server = createServer((_request, response) => response.end(ANSWER));
  server.on('connection', (socket: Socket) => closing.adopt(socket)).on('clientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

interface Sender {
  readonly socket: Socket;
  /** The server's end of the connection. */
  readonly peer: Socket;
  /** The answer, once the server's half has ended. */
  readonly answered: Promise<string>;
}
async function send(length: number): Promise<Sender> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket.on('error', () => undefined));
  let heard = '';
  const answered = once(
    socket.on('data', (data) => (heard += data.toString())),
    'end',
  ).then(() => heard);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`);
  const [peer] = await accepted;
  return { socket, peer: peer.on('error', () => undefined), answered };
}
const ended = (peer: Socket): Promise<unknown> => (peer.closed ? Promise.resolve() : once(peer, 'close'));

describe('A connection that ends while its sender still sends', () => {
  it('is read until the sender is done, and then ends', async () => {
    await refusing(PATIENT);
    const length = 8 * 1024 * 1024;
    const { socket, peer, answered } = await send(length);
    expect(await answered).toContain(ANSWER);
    socket.write(Buffer.alloc(length - 1));
    expect(peer.closed).toBe(false);
    socket.end(Buffer.alloc(1));
    await ended(peer);
    expect(peer.bytesRead).toBeGreaterThan(length);
    expect(closing.has(peer)).toBe(false);
  });

  it('is abandoned after the bound of bytes', async () => {
    await refusing({ ...PATIENT, bytes: 1_000_000 });
    const { socket, peer, answered } = await send(8_000_000);
    await answered;
    socket.write(Buffer.alloc(4_000_000));
    await ended(peer);
    expect(peer.bytesRead).toBeLessThan(4_000_000);
  });

  it('is abandoned when nothing arrives', async () => {
    await refusing({ ...PATIENT, silentMs: 50 });
    const { peer, answered } = await send(8_000_000);
    await answered;
    await ended(peer);
  });

  it('is abandoned at its deadline, however steadily bytes arrive', async () => {
    await refusing({ ...PATIENT, silentMs: 60_000, totalMs: 300 });
    const { socket, peer, answered } = await send(8_000_000);
    await answered;
    const trickle = setInterval(() => socket.write('x'), 10);
    await ended(peer);
    clearInterval(trickle);
  });

  it('is ended, the oldest first, when too many linger', async () => {
    await refusing(PATIENT);
    const senders: Sender[] = [];
    for (let count = 0; count < 257; count += 1) {
      senders.push(await send(8_000_000));
      await senders.at(-1)?.answered;
    }
    await ended(senders[0]!.peer);
    expect(senders.filter(({ peer }) => peer.closed)).toHaveLength(1);
  });

  it('is ended when the process stops', async () => {
    await refusing(PATIENT);
    const { peer, answered } = await send(8_000_000);
    await answered;
    closing.stop();
    await ended(peer);
  });
});
