import { createWriteStream, renameSync, statSync } from 'node:fs';
import type { WriteStream } from 'node:fs';

const MAX_BYTES = 16 << 20;

/** Appends lines to a file that never grows beyond 16 MiB: the one before is kept as `<file>.1`. */
export class LogFile {
  #stream: WriteStream;
  #bytes: number;

  constructor(private readonly file: string) {
    this.#bytes = sizeOf(file);
    this.#stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  }

  write(line: string): void {
    if (this.#bytes > MAX_BYTES) {
      this.#stream.end();
      renameSync(this.file, `${this.file}.1`);
      this.#stream = createWriteStream(this.file, { flags: 'a', mode: 0o600 });
      this.#bytes = 0;
    }
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#stream.write(`${line}\n`);
  }

  close(): void {
    this.#stream.end();
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
