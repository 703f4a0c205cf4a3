import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type BigIntStats,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { ModuleCliError } from './module-cli.error.js';

/** The state of a path when it was first read. */
interface Seen {
  readonly place: string;
  readonly stats: BigIntStats;
}

/**
 * An author's folder, of which only regular files are read. No component of its path is a link, and nothing below it is. A
 * change between the first read and `confirm` is an error, because the bytes then never were a state of the folder.
 */
export class ModuleRoot {
  private readonly root: string;
  private readonly files = new Map<string, { readonly seen: Seen; readonly pointer: string }>();
  private readonly folders = new Map<string, Seen>();

  /**
   * @param option the name of the folder in errors
   * @throws {ModuleCliError} `MODULE_CLI_FILE` if it is not a folder.
   */
  constructor(
    root: string,
    private readonly option = '--root',
  ) {
    // A slash or a dot at its end would follow a link.
    this.root = resolve(root);
    this.folders.set(
      '',
      this.look('', option, (stats) => stats.isDirectory()),
    );
  }

  /**
   * Reads a file. `path` is relative, with `/`, and must be checked not to leave the folder.
   * @param pointer the name of the file in errors
   * @throws {ModuleCliError} `MODULE_CLI_FILE`, `MODULE_FILE_CHANGED`, and `tooLarge`
   */
  read(path: string, pointer: string, maxBytes: number, tooLarge: ModuleCliError): Buffer {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth += 1) {
      const folder = segments.slice(0, depth).join('/');
      if (!this.folders.has(folder))
        this.folders.set(
          folder,
          this.look(folder, pointer, (stats) => stats.isDirectory()),
        );
    }
    const seen = this.look(path, pointer, (stats) => stats.isFile());
    const bytes = readWhole(seen, pointer, maxBytes, tooLarge);
    this.files.set(path, { seen, pointer });
    return bytes;
  }

  /** @throws {ModuleCliError} `MODULE_FILE_CHANGED` if a file that was read, or a folder on its path, has changed. */
  confirm(): void {
    for (const [folder, { stats }] of this.folders) {
      const now = this.look(folder, this.option, (one) => one.isDirectory()).stats;
      if (now.dev !== stats.dev || now.ino !== stats.ino) throw changed(this.option);
    }
    for (const [path, { seen, pointer }] of this.files) {
      const now = this.look(path, pointer, (stats) => stats.isFile());
      if (!isSame(now.stats, seen.stats)) throw changed(pointer);
    }
  }

  private look(path: string, pointer: string, isWanted: (stats: BigIntStats) => boolean): Seen {
    const place = join(this.root, path);
    let stats: BigIntStats;
    try {
      // A link above the folder would lead elsewhere, as one below it does.
      if (realpathSync.native(this.root) !== this.root) throw ModuleCliError.own('MODULE_CLI_FILE', { path: pointer });
      stats = lstatSync(place, { bigint: true });
    } catch {
      throw ModuleCliError.own('MODULE_CLI_FILE', { path: pointer });
    }
    if (!isWanted(stats)) throw ModuleCliError.own('MODULE_CLI_FILE', { path: pointer });
    return { place, stats };
  }
}

const changed = (path: string): ModuleCliError => ModuleCliError.own('MODULE_FILE_CHANGED', { path });

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

function readWhole({ place, stats }: Seen, pointer: string, maxBytes: number, tooLarge: ModuleCliError): Buffer {
  let descriptor: number | undefined;
  try {
    // Non-blocking and without links: a replacement of the file since its first read is neither waited for nor followed.
    descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!isSame(fstatSync(descriptor, { bigint: true }), stats)) throw changed(pointer);
    if (stats.size > BigInt(maxBytes)) throw tooLarge;
    const buffer = Buffer.alloc(Number(stats.size) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (!isSame(fstatSync(descriptor, { bigint: true }), stats) || BigInt(length) !== stats.size)
      throw changed(pointer);
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof ModuleCliError) throw error;
    throw ModuleCliError.own('MODULE_CLI_FILE', { path: pointer });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
