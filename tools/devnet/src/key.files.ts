import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { DevnetError } from './devnet.errors.js';

export interface KeyFile {
  /** Lowercase. */
  readonly address: `0x${string}`;
  readonly privateKeyFile: string;
  readonly account: PrivateKeyAccount;
}

/**
 * Reads the private key in `file`, or creates one and writes it with mode 0600: `0x` and 64 hex digits, no newline.
 * @throws DevnetError `KEY_FILE_INVALID`; the message never contains the key.
 */
export async function loadOrCreateKey(file: string): Promise<KeyFile> {
  const existing = await readIfPresent(file);
  return keyOf(file, existing ?? (await createKey(file)));
}

/** Reads a key that must exist. @throws DevnetError `CHAINS_UNREADABLE` if it does not, `KEY_FILE_INVALID`. */
export async function readKey(file: string): Promise<KeyFile> {
  const existing = await readIfPresent(file);
  if (existing === null) throw new DevnetError('CHAINS_UNREADABLE', 'a key that the chains know is missing', { file });
  return keyOf(file, existing);
}

function keyOf(file: string, text: string): KeyFile {
  const privateKey = text.trim();
  if (!/^0x[0-9a-f]{64}$/.test(privateKey))
    throw new DevnetError('KEY_FILE_INVALID', 'not a private key file', { file });
  const account = privateKeyToAccount(privateKey as `0x${string}`);
  return { address: account.address.toLowerCase() as `0x${string}`, privateKeyFile: file, account };
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function createKey(file: string): Promise<string> {
  // 32 random bytes are a valid secp256k1 key except with odds of 2^-128, in which case viem refuses them.
  const text = `0x${randomBytes(32).toString('hex')}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return text;
}
