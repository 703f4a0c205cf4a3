import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notWritten } from '../documents.js';

/** Writes the files of a folder of secrets, each for the one user that reads it. */
export class SecretFiles {
  /** The commands that are left to the superuser where this process may not give files away. */
  readonly toGive: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly progress: (line: string) => void,
  ) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o711 });
    } catch (error) {
      throw notWritten(folder, error);
    }
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** Writes a file that does not exist yet and gives it to its reader; returns its text either way. @throws {DeployError} */
  make(name: string, owner: number, text: () => string, mode = 0o400): string {
    const file = this.at(name);
    try {
      if (!this.has(name)) {
        writeFileSync(file, text(), { flag: 'wx', mode });
        this.progress(`made ${name}`);
      }
      this.give(name, owner, mode);
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw notWritten(file, error);
    }
  }

  /** Gives a file that exists to its reader. */
  give(name: string, owner: number, mode = 0o400): void {
    const file = this.at(name);
    chmodSync(file, mode);
    if (process.getuid?.() === 0) chownSync(file, owner, owner);
    else this.toGive.push(`chown ${owner}:${owner} ${file}`);
  }

  private at(name: string): string {
    return path.join(this.folder, name);
  }
}
