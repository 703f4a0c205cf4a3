import type { Socket } from 'node:net';

/** What is still read and thrown away of a sender that was already answered, so that it can read the answer. */
export interface DrainBounds {
  readonly bytes: number;
  /** From the answer's last byte. */
  readonly totalMs: number;
  /** Without a byte. */
  readonly silentMs: number;
}

/** Four of the largest bodies, and the times that other servers give (nginx: `lingering_time`, `lingering_timeout`). */
export const DRAIN_BOUNDS: DrainBounds = { bytes: 64 * 1024 * 1024, totalMs: 30_000, silentMs: 5_000 };
/** Connections that linger at once; one more, and the oldest goes. */
const MAX_LINGERING = 256;
/** While the process stops, nobody is waited for longer. */
const STOPPING_MS = 1_000;

/**
 * Closes connections the way a sender can bear that is still sending. Our half ends after the answer. Later bytes are
 * thrown away until the sender ends its half or a bound is met. A socket that is closed over unread bytes is reset, and
 * a reset takes the answer out of the sender's hands (RFC 9112, 9.6).
 */
export class LingeringClose {
  private readonly lingering = new Set<Socket>();
  private stopping = false;

  constructor(private readonly bounds: DrainBounds = DRAIN_BOUNDS) {}

  /** Takes over how Node ends this connection once its last answer is out. */
  adopt(socket: Socket): void {
    socket.destroySoon = () => this.close(socket);
  }

  /** Whether a connection is being closed. */
  has(socket: Socket): boolean {
    return this.lingering.has(socket);
  }

  /** Ends the connection after these last bytes. Nothing that arrives from now on is parsed. */
  close(socket: Socket, last?: string): void {
    if (socket.destroyed || this.lingering.has(socket)) return;
    this.lingering.add(socket);
    const timers: NodeJS.Timeout[] = [];
    const goAfter = (ms: number): NodeJS.Timeout => {
      const timer = setTimeout(() => socket.destroy(), ms).unref();
      timers.push(timer);
      return timer;
    };
    socket.once('close', () => {
      this.lingering.delete(socket);
      for (const timer of timers) clearTimeout(timer);
    });
    this.makeRoom();

    deafen(socket);
    // Nothing is read before the answer is out: a reader that reads nothing meets the time limit of idle connections.
    socket.end(last ?? '', () => {
      if (socket.destroyed) return;
      const silence = goAfter(this.stopping ? STOPPING_MS : this.bounds.silentMs);
      goAfter(this.stopping ? STOPPING_MS : this.bounds.totalMs);
      let left = this.bounds.bytes;
      // A listener takes the bytes from the parser, and with them Node's own way to read on: so only once it does. It does
      // so after a pause, and only then says so.
      socket.pause();
      socket.once('resume', () => {
        socket.on('data', (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) socket.destroy();
          else silence.refresh();
        });
      });
      socket.resume();
    });
  }

  private makeRoom(): void {
    const [oldest] = this.lingering;
    if (this.lingering.size <= MAX_LINGERING || oldest === undefined) return;
    this.lingering.delete(oldest);
    oldest.destroy();
  }

  /** The process stops: who lingers is let go, and who comes later is not waited for. */
  stop(): void {
    this.stopping = true;
    for (const socket of this.lingering) if (socket.writableFinished) socket.destroy();
  }
}

/** Ends what the HTTP parser hears of a connection: nothing more is read until somebody resumes. */
export function deafen(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.pause();
}
