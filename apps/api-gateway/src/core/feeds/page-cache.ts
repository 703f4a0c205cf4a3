import { canonicalizeJson } from '@launch/contracts/json';
import { LruMap } from 'toad-cache';

/** Bounds the memory of one list: it limits the size of a page, and this the number of pages. */
const MAX_PAGES = 128;

/** The version of a page that never changes. */
const FINAL = Symbol('final');

export interface Page {
  readonly body: object;
  /** Set for a page that never changes. */
  readonly isFinal?: boolean;
}

export interface PageRequest {
  /** Identifies the page in its list. */
  readonly name: string;
  /** Reads a text that differs after every change of a page. */
  readonly version: () => Promise<string>;
  /** Reads the page. It is called after `version`, so that the page is never older than its version. */
  readonly read: () => Promise<Page>;
}

interface CachedPage {
  version: string | typeof FINAL;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * Caches the pages of a public list as canonical JSON. A page is valid while its version stays. Requests for a page that
 * arrive while its version is read share that read, so an answer has every record that was published before it began.
 * Equal answers are the same memory, whose digest and signature are computed once.
 */
export class PageCache {
  private readonly pages: LruMap<CachedPage>;
  /** The versions that are being read, by the name of their page. */
  private readonly versions = new Map<string, Promise<string>>();

  /** @param options.maxAgeMs reads a page anew after this time even if its version stays; 0 for never. */
  constructor({ maxPages = MAX_PAGES, maxAgeMs = 0 } = {}) {
    this.pages = new LruMap(maxPages, maxAgeMs);
  }

  /** @throws the error of a failed read, to all requests that wait for it; the next request reads again. */
  async bytesOf({ name, version, read }: PageRequest): Promise<Uint8Array> {
    const known = this.pages.get(name);
    if (known?.version === FINAL) return known.bytes;
    const current = await this.versionOf(name, version);
    const cached = this.pages.get(name);
    if (cached !== undefined && (cached.version === current || cached.version === FINAL)) return cached.bytes;
    const page: CachedPage = {
      version: current,
      bytes: read().then(({ body, isFinal }) => {
        if (isFinal === true) page.version = FINAL;
        return canonicalizeJson(body);
      }),
    };
    this.pages.set(name, page);
    page.bytes.catch(() => {
      if (this.pages.get(name) === page) this.pages.delete(name);
    });
    return page.bytes;
  }

  private versionOf(name: string, version: () => Promise<string>): Promise<string> {
    let running = this.versions.get(name);
    if (running === undefined) {
      running = version().finally(() => this.versions.delete(name));
      this.versions.set(name, running);
    }
    return running;
  }
}
