import type { Socket } from 'node:net';

/** Bounds on the bytes of an answered sender that are read and discarded, so that it can read the answer. */
export interface DrainBounds {
  readonly bytes: number;
  /** Milliseconds from the answer's last byte. */
  readonly totalMs: number;
  /** Milliseconds without a byte. */
  readonly silentMs: number;
}

/** Four of the largest bodies, and the times of other servers (nginx: `lingering_time`, `lingering_timeout`). */
export const DRAIN_BOUNDS: DrainBounds = { bytes: 64 * 1024 * 1024, totalMs: 30_000, silentMs: 5_000 };
/** The most connections that linger at once; one more, and the oldest is closed. */
const MAX_LINGERING = 256;
/** The longest wait for a lingering connection while the process stops, in milliseconds. */
const STOPPING_MS = 1_000;

/**
 * Closes connections in a way that a sender survives while it is still sending. The server's half ends after the
 * answer. Later bytes are discarded until the sender ends its half or a bound is reached. Closing a socket with unread
 * bytes resets it, and a reset can destroy the answer before the sender has read it (RFC 9112, 9.6).
 */
export class LingeringClose {
  private readonly lingering = new Set<Socket>();
  private stopping = false;

  constructor(private readonly bounds: DrainBounds = DRAIN_BOUNDS) {}

  /** Replaces Node's way of ending this connection after its last answer. */
  adopt(socket: Socket): void {
    socket.destroySoon = () => this.close(socket);
  }

  /** Reports whether a connection is being closed. */
  has(socket: Socket): boolean {
    return this.lingering.has(socket);
  }

  /** Ends the connection after these last bytes. Bytes that arrive later are not parsed. */
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
    // Read nothing until the answer is sent: the idle timeout ends a client that reads nothing.
    socket.end(last ?? '', () => {
      if (socket.destroyed) return;
      const silence = goAfter(this.stopping ? STOPPING_MS : this.bounds.silentMs);
      goAfter(this.stopping ? STOPPING_MS : this.bounds.totalMs);
      let left = this.bounds.bytes;
      // A `data` listener detaches the parser, and with it Node's own way of resuming, so it is attached once the
      // socket has resumed. Node resumes, and reports it, only after a pause.
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

  /**
   * Begins the shutdown: destroys lingering connections whose answer is sent, and bounds the wait for all others by
   * `STOPPING_MS`.
   */
  stop(): void {
    this.stopping = true;
    for (const socket of this.lingering) if (socket.writableFinished) socket.destroy();
  }
}

/** Detaches the HTTP parser from a connection: nothing more is read until a resume. */
export function deafen(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.pause();
}
