// Compares the images that Dockerfiles and docker-compose.yml pin by digest with what their registries serve, by
// `docker buildx imagetools inspect`.
//
//   node deploy/pin-images.mjs [--write] [root, default the checkout]
//
// Exits 1 where a pinned digest cannot be fetched from its registry or an image has none. A tag that stands for other bytes
// by now is named and no failure: images are rebuilt under the same tag. `--write` pins what the tags stand for now.
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const IMAGE = /^(\s*(?:image:|FROM) )([a-z0-9./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?(?=\s|$)/gm;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Built here; they carry the release's name. */
const OURS = /^launch\//;

const args = process.argv.slice(2);
const writes = args.includes('--write');
const root = path.resolve(args.find((one) => !one.startsWith('--')) ?? path.join(import.meta.dirname, '..'));
const files = ['docker-compose.yml', ...globSync('deploy/docker/*.Dockerfile', { cwd: root })].map((file) => path.join(root, file));

/** The digest that a registry has for a reference; null where it has none. */
async function digestOf(reference) {
  try {
    const inspected = ['buildx', 'imagetools', 'inspect', reference, '--format', '{{.Manifest.Digest}}'];
    const { stdout } = await promisify(execFile)('docker', inspected, { timeout: 60_000 });
    return DIGEST.test(stdout.trim()) ? stdout.trim() : null;
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error('docker is not installed', { cause: error });
    process.stderr.write(`${reference}: ${String(error.stderr ?? error.message).trim()}\n`);
    return null;
  }
}

const pinned = new Map();
for (const file of files)
  for (const [, , image, digest] of readFileSync(file, 'utf8').matchAll(IMAGE))
    if (!OURS.test(image)) pinned.set(image, new Set([...(pinned.get(image) ?? []), digest ?? null]));

const current = new Map();
for (const [image, digests] of pinned) {
  const now = await digestOf(image);
  current.set(image, now);
  for (const digest of digests) {
    const isServed = digest !== null && (digest === now || (await digestOf(`${image}@${digest}`)) === digest);
    if (!isServed && !writes) process.exitCode = 1;
    const said = digest === now ? 'as pinned' : `the tag stands for ${now ?? 'nothing'} now`;
    process.stdout.write(`${image}: ${digest === null ? 'not pinned' : isServed ? said : `${digest} cannot be fetched`}\n`);
  }
}
if (writes) {
  if ([...current.values()].includes(null)) throw new Error('nothing was written: a registry did not answer for every tag');
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const next = text.replace(IMAGE, (whole, before, image) => (OURS.test(image) ? whole : `${before}${image}@${current.get(image)}`));
    if (next !== text) writeFileSync(file, next);
  }
}
