import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandLineOf, isProcessAlive } from '@launch/platform/processes';

/** Everything the stack keeps, in one folder. */
export interface DataFolder {
  root: string;
  postgres: string;
  temporalDb: string;
  devnet: string;
  blobs: string;
  buildResults: string;
  compilerCache: string;
  logs: string;
  secrets: string;
  run: string;
  contextFile: string;
  stackFile: string;
  file(name: string): string;
}

export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Makes the folder and claims it for this process. Its secrets are for this user alone; as root it can be passed
 * through, because PostgreSQL runs as another account then.
 * @throws DataFolderError when another start runs in it.
 */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const folder = describeFolder(path.resolve(root));
  await mkdir(folder.root, { recursive: true });
  await chmod(folder.root, process.getuid?.() === 0 ? 0o711 : 0o700);
  await claim(folder.file('start.pid'));
  for (const name of [folder.blobs, folder.compilerCache, folder.logs, folder.secrets, folder.run, folder.devnet]) {
    await mkdir(name, { recursive: true, mode: 0o700 });
  }
  await rm(folder.stackFile, { force: true });
  return folder;
}

export async function closeDataFolder(folder: DataFolder): Promise<void> {
  await rm(folder.stackFile, { force: true });
  await rm(folder.file('start.pid'), { force: true });
}

function describeFolder(root: string): DataFolder {
  const file = (name: string) => path.join(root, name);
  return {
    root,
    postgres: file('postgres'),
    temporalDb: file('temporal.sqlite'),
    devnet: file('chains'),
    blobs: file('blobs'),
    buildResults: file('build-results'),
    compilerCache: file('compiler-cache'),
    logs: file('logs'),
    secrets: file('secrets'),
    run: file('run'),
    contextFile: file('context.json'),
    stackFile: file('stack.json'),
    file,
  };
}

async function claim(pidFile: string): Promise<void> {
  const [pid, ...command] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const holder = Number(pid);
  if (
    holder > 1 &&
    holder !== process.pid &&
    isProcessAlive(holder) &&
    (await commandLineOf(holder)) === command.join('\n')
  ) {
    throw new DataFolderError(
      `another start (process ${holder}) runs in ${path.dirname(pidFile)}: stop it, or set LAUNCH_DATA_DIR`,
    );
  }
  await writeFile(pidFile, `${process.pid}\n${(await commandLineOf(process.pid)) ?? ''}`, { mode: 0o600 });
}

/** Writes a file that appears whole or not at all, mode 0600. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, text, { mode: 0o600 });
  await rename(partial, file);
}

/** JSON that an earlier start wrote, or undefined. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

export interface Secrets {
  /** Passwords by database role, and `postgres` for the superuser. */
  password(role: string): Promise<string>;
  pepperFile: string;
  cursorKeyFile: string;
  /** The gateway signs what mirrors may serve with it. */
  answerSigningKeyFile: string;
  admissionSigningKeyFile: string;
  admissionPublicKeyFile: string;
  finalitySigningKeyFile: string;
  finalityPublicKeyFile: string;
  /** The builder of modules signs its results with the one; the reviewer policy names the other. */
  buildSigningKeyFile: string;
  buildPublicKeyFile: string;
  /** Private key of the development wallet that reviews modules, `0x` and 64 hex digits. */
  reviewerKeyFile: string;
  /** Key of a second reviewer. */
  secondReviewerKeyFile: string;
}

/** The development secrets, made once; their files are readable by this user only. */
export async function openSecrets(folder: DataFolder): Promise<Secrets> {
  const at = (name: string) => path.join(folder.secrets, name);
  const once = async (file: string, make: () => string): Promise<string> => {
    const known = await readFile(file, 'utf8').catch(() => undefined);
    if (known !== undefined) return known;
    const made = make();
    await writePrivate(file, made);
    return made;
  };
  const random = () => randomBytes(32).toString('hex');
  await Promise.all([
    once(at('credential-pepper'), random),
    once(at('cursor-key'), random),
    once(at('answer-signing.pem'), () =>
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ),
    once(at('reviewer-key'), () => `0x${random()}`),
    once(at('second-reviewer-key'), () => `0x${random()}`),
  ]);
  for (const signer of ['admission', 'finality', 'build']) {
    const publicFile = at(`${signer}-public.pem`);
    if ((await readFile(publicFile, 'utf8').catch(() => undefined)) !== undefined) continue;
    const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    await writePrivate(at(`${signer}-signing.pem`), privateKey);
    // Written last: it marks the pair as complete.
    await writePrivate(publicFile, publicKey);
  }
  return {
    password: (role) => once(at(`password-${role}`), random),
    pepperFile: at('credential-pepper'),
    cursorKeyFile: at('cursor-key'),
    answerSigningKeyFile: at('answer-signing.pem'),
    admissionSigningKeyFile: at('admission-signing.pem'),
    admissionPublicKeyFile: at('admission-public.pem'),
    finalitySigningKeyFile: at('finality-signing.pem'),
    finalityPublicKeyFile: at('finality-public.pem'),
    buildSigningKeyFile: at('build-signing.pem'),
    buildPublicKeyFile: at('build-public.pem'),
    reviewerKeyFile: at('reviewer-key'),
    secondReviewerKeyFile: at('second-reviewer-key'),
  };
}
