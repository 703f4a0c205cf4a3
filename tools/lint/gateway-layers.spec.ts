import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const SOURCES = path.resolve(import.meta.dirname, '../../apps/api-gateway/src');
const { GATEWAY_FOLDERS } = (await import(path.join(import.meta.dirname, 'gateway-layers.mjs'))) as {
  readonly GATEWAY_FOLDERS: readonly string[];
};
/** Files outside every folder: the entry of the process, the tokens, and the modules of a product. */
const OUTSIDE = /^(?:main|gateway\.process\.e2e\.spec|platform\/tokens|products\/[a-z-]+\/[a-z-]+\.module)\.ts$/;

it('The layer rules name every folder of the gateway, so that each has a rule.', () => {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(SOURCES, path.join(entry.parentPath, entry.name)));
  expect(files.length).toBeGreaterThan(300);
  const unknown = files.filter(
    (file) => !OUTSIDE.test(file) && !GATEWAY_FOLDERS.some((folder) => file.startsWith(`${folder}/`)),
  );
  expect(unknown).toEqual([]);
});
