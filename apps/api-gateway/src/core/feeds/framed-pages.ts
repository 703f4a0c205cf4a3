/** The bytes before and after the items of a page. */
export type Frame = readonly [before: string, behind: string];

/**
 * Caches pages whose frame changes separately from their items. A page is assembled once while neither changes, so that a
 * digest or signature of its bytes is computed once as well.
 */
export class FramedPages {
  private readonly framed = new WeakMap<Uint8Array, { readonly frame: Frame; readonly bytes: Uint8Array }>();

  /** Returns the same memory for the same items and frame. @param items must not change any more */
  bytesOf(items: Uint8Array, frame: Frame): Uint8Array {
    const known = this.framed.get(items);
    if (known !== undefined && known.frame[0] === frame[0] && known.frame[1] === frame[1]) return known.bytes;
    const bytes = Buffer.concat([Buffer.from(frame[0]), items, Buffer.from(frame[1])]);
    this.framed.set(items, { frame, bytes });
    return bytes;
  }
}
