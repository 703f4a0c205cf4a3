import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Writes bytes as a durable service has to: a draft, its fsync, its new name, and the fsync of the folder. */
export async function writeDurably(folder: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const target = path.join(folder, randomUUID());
  const file = await open(`${target}.draft`, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${target}.draft`, target);
  const directory = await open(folder);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
