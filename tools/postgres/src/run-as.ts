import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The account PostgreSQL runs as when we are root, which the server itself refuses to be. */
export interface RunAs {
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/** Undefined unless this process is root. */
export async function chooseAccount(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error(`PostgreSQL does not run as root and there is no account ${CANDIDATES.join(' or ')} to run it as`);
}

/** True when the account may pass through every folder above `target` (folders that do not exist yet count as open). */
export async function isReachable(target: string, account: RunAs | undefined): Promise<boolean> {
  if (account === undefined) return true;
  for (let folder = path.dirname(path.resolve(target)); ; folder = path.dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined) {
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (folder === path.dirname(folder)) return true;
  }
}
