import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from 'viem/utils';
import { authorityOf } from './authority-signature.js';
import { guardedSigner, type PermitSigner } from './permit.signer.js';
import { SignerError } from './signer.errors.js';

const MAX_KEY_FILE_BYTES = 128;
const KEY_FORM = /^(?:0x)?([0-9a-fA-F]{64})\r?\n?$/;
const GROUP_AND_OTHERS = 0o077;

/**
 * Creates the signer of a key in a file (64 hex digits, optionally after 0x), for development and for single-machine
 * deployments. Refuses a symbolic link, anything but a regular file, and a file that its group or others can access.
 * Signatures are deterministic (RFC 6979). Throws SignerError.
 */
export async function createLocalKeySigner(keyFile: string): Promise<PermitSigner> {
  const key = parseKey(await readKeyFile(keyFile));
  return guardedSigner(authorityOf(secp256k1.getPublicKey(key, false)), {
    async sign({ digest }) {
      const signature = secp256k1.sign(hexToBytes(digest), key, { lowS: true });
      return `${bytesToHex(signature.toCompactRawBytes())}${(27 + signature.recovery).toString(16)}`;
    },
    // The key is in memory.
    check: async () => undefined,
  });
}

async function readKeyFile(keyFile: string): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would block forever.
  const file = await open(keyFile, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw new SignerError('SIGNER_KEY_FILE_UNREADABLE');
  });
  try {
    const { mode, size } = await file.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new SignerError('SIGNER_KEY_FILE_UNREADABLE');
    if ((mode & GROUP_AND_OTHERS) !== 0) throw new SignerError('SIGNER_KEY_FILE_EXPOSED');
    if (size > MAX_KEY_FILE_BYTES) throw new SignerError('SIGNER_KEY_INVALID');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parseKey(text: string): Uint8Array {
  const digits = KEY_FORM.exec(text)?.[1];
  if (digits === undefined) throw new SignerError('SIGNER_KEY_INVALID');
  const key = hexToBytes(`0x${digits}`);
  if (!secp256k1.utils.isValidPrivateKey(key)) throw new SignerError('SIGNER_KEY_INVALID');
  return key;
}
