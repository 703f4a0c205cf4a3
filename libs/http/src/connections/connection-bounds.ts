import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '@launch/platform/quotas';

export interface ConnectionBounds {
  /**
   * The most open connections of a listener. One more is closed at once, and idle ones with it, so that the next has
   * room.
   */
  readonly open: number;
  /** The most connections of one address, or of one /64; null behind proxies, whose address all clients share. */
  readonly ofAddress: number | null;
}

/**
 * Bounds the connections of a server, so that one address that keeps opening them takes its share and never every
 * descriptor.
 */
export function boundConnections(server: Server, { open, ofAddress }: ConnectionBounds): void {
  const held = new Map<string, number>();
  server.maxConnections = open;
  server.on('drop', () => server.closeIdleConnections());
  if (ofAddress === null) return;
  server.on('connection', (socket: Socket) => {
    const key = addressKey(socket.remoteAddress ?? '');
    if (key === null) return;
    const own = held.get(key) ?? 0;
    if (own >= ofAddress) {
      socket.destroy();
      return;
    }
    held.set(key, own + 1);
    socket.once('close', () => {
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
    });
  });
}
