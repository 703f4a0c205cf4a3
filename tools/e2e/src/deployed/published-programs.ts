import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';

/** The programs that a launcher downloads. */
const PROGRAMS = [
  'client.mjs',
  'guide.md',
  'inventory-build.json',
  'inventory-builder.mjs',
  'inventory-projects.json',
  'reference-builder.mjs',
  'request-packer-build.json',
  'request-packer-reference.json',
  'request-packer.mjs',
];

/** Downloads the programs that a gateway publishes into a new folder. */
export async function downloadPrograms(gateway: string, folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of PROGRAMS) {
    const response = await fetch(`${gateway}${MULTI_ROLE_BASE_PATH}/${name}`);
    if (!response.ok) throw new Error(`${name} answers ${response.status}`);
    await writeFile(path.join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
}
