import { SharedRead } from './shared-read.js';

export interface FeedPage {
  readonly bytes: Uint8Array;
  /** Whether a page follows. Then this page never changes: each publication number is assigned once, in the order of commits. */
  readonly full: boolean;
}

interface KeptPage extends FeedPage {
  /** The page includes every publication up to this number that belongs to it. */
  readonly head: string;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Memory of a cached page besides its bytes. */
const OVERHEAD_BYTES = 512;

/**
 * Caches pages of the feeds. A full page never changes. A page that can still grow is valid while no gateway has published
 * since, which one small query determines for all concurrent requests. An answer has every record that was published
 * before its request arrived.
 */
export class FeedPages {
  /** Pages in the order of their last use. */
  private readonly kept = new Map<string, KeptPage>();
  private readonly making = new Map<string, Promise<Uint8Array>>();
  private readonly head: SharedRead<string>;
  private keptBytes = 0;

  /** @param readHead reads the last publication number. */
  constructor(
    readHead: () => Promise<string>,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.head = new SharedRead(readHead);
  }

  /** Returns the bytes of a page. @param make reads it from the database. */
  async read(name: string, make: () => Promise<FeedPage>): Promise<Uint8Array> {
    const full = this.use(name);
    if (full?.full === true) return full.bytes;
    const head = await this.head.ask();
    const page = this.use(name);
    if (page !== undefined && (page.full || page.head === head)) return page.bytes;
    // Requests that read the same head share a page whose read began after it.
    const flight = `${name} ${head}`;
    let making = this.making.get(flight);
    if (making === undefined) {
      making = this.make(name, head, make).finally(() => this.making.delete(flight));
      this.making.set(flight, making);
    }
    return making;
  }

  private async make(name: string, head: string, make: () => Promise<FeedPage>): Promise<Uint8Array> {
    const page = await make();
    this.keep(name, { ...page, head });
    return page.bytes;
  }

  private use(name: string): KeptPage | undefined {
    const page = this.kept.get(name);
    if (page === undefined) return undefined;
    this.kept.delete(name);
    this.kept.set(name, page);
    return page;
  }

  private keep(name: string, page: KeptPage): void {
    this.forget(name);
    if (sizeOf(page) > this.maxBytes) return;
    this.kept.set(name, page);
    this.keptBytes += sizeOf(page);
    for (const oldest of this.kept.keys()) {
      if (this.keptBytes <= this.maxBytes) return;
      this.forget(oldest);
    }
  }

  private forget(name: string): void {
    const page = this.kept.get(name);
    if (page === undefined) return;
    this.kept.delete(name);
    this.keptBytes -= sizeOf(page);
  }
}

const sizeOf = ({ bytes }: FeedPage): number => bytes.byteLength + OVERHEAD_BYTES;
