/** What stands before and behind the items of a page. */
export type Frame = readonly [before: string, behind: string];

/**
 * Pages whose frame changes apart from their items. One is put together once for as long as neither does, so that what
 * is made of its bytes, a digest or a signature, is made once as well.
 */
export class FramedPages {
  private readonly framed = new WeakMap<Uint8Array, { readonly frame: Frame; readonly bytes: Uint8Array }>();

  /** The same memory for the same items and frame. @param items that nobody changes any more */
  bytesOf(items: Uint8Array, frame: Frame): Uint8Array {
    const known = this.framed.get(items);
    if (known !== undefined && known.frame[0] === frame[0] && known.frame[1] === frame[1]) return known.bytes;
    const bytes = Buffer.concat([Buffer.from(frame[0]), items, Buffer.from(frame[1])]);
    this.framed.set(items, { frame, bytes });
    return bytes;
  }
}
