import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { messageOf, notWritten } from '../documents.js';

/** An image of a Dockerfile's `ARG`, or of Compose, as it is or as the default of a variable. */
const IMAGE =
  /^(ARG \w+_IMAGE=|\s*(?:image|\w+_IMAGE): (?:\$\{\w+:-)?)([a-z0-9./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?(?=[\s}]|$)/gm;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Images of this repository; they carry the release's name. */
const OURS = /^launch\//;
const ANSWER_TIMEOUT_MS = 60_000;

/** An image with the digest that a file pins, and the one of its tag at the registry. */
export interface PinnedImage {
  readonly image: string;
  readonly pinned: string | null;
  readonly current: string | null;
  /** Whether the registry serves the pinned digest. */
  readonly isServed: boolean;
}

/** Returns the Dockerfiles and the Compose file of a checkout. */
export const imageFiles = (root: string): readonly string[] =>
  ['docker-compose.yml', ...globSync('deploy/docker/*.Dockerfile', { cwd: root })].map((file) => path.join(root, file));

/** Compares every image that files pin with its registry, by `docker buildx imagetools`. @throws {DeployError} DOCKER_MISSING */
export async function inspectImages(files: readonly string[], host: Host): Promise<readonly PinnedImage[]> {
  await requireBuildx(host);
  const inspected: PinnedImage[] = [];
  for (const [image, digests] of pinnedIn(files)) {
    host.progress(`asking the registry for ${image}`);
    const current = await digestOf(image, host);
    for (const pinned of digests) {
      const isServed =
        pinned !== null && (pinned === current || (await digestOf(`${image}@${pinned}`, host)) === pinned);
      inspected.push({ image, pinned, current, isServed });
    }
  }
  return inspected;
}

/** Pins every image to the digest of its tag. @throws {DeployError} FILE_NOT_WRITTEN */
export function pinImages(files: readonly string[], images: readonly PinnedImage[]): void {
  const current = new Map(images.map((one) => [one.image, one.current]));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const next = text.replace(IMAGE, (whole: string, before: string, image: string) =>
      OURS.test(image) ? whole : `${before}${image}@${current.get(image)}`,
    );
    if (next === text) continue;
    try {
      writeFileSync(file, next);
    } catch (error) {
      throw notWritten(file, error);
    }
  }
}

/** Each image with the digests that files pin for it, null where one pins none. */
function pinnedIn(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string | null>> {
  const pinned = new Map<string, Set<string | null>>();
  for (const file of files)
    for (const [, , image = '', digest] of readFileSync(file, 'utf8').matchAll(IMAGE))
      if (!OURS.test(image)) pinned.set(image, (pinned.get(image) ?? new Set()).add(digest ?? null));
  return pinned;
}

/** @throws {DeployError} DOCKER_MISSING */
async function requireBuildx({ env }: Host): Promise<void> {
  try {
    await promisify(execFile)('docker', ['buildx', 'version'], { timeout: ANSWER_TIMEOUT_MS, env });
  } catch (error) {
    const fault =
      (error as { readonly code?: unknown }).code === 'ENOENT' ? 'is not on the path' : 'has no plugin buildx';
    throw new DeployError(
      'DOCKER_MISSING',
      `docker ${fault}; no registry was asked`,
      'Install Docker with its plugin buildx.',
    );
  }
}

/** Returns the digest that a registry has for a reference; null where it has none or does not answer. */
async function digestOf(reference: string, { env, progress }: Host): Promise<string | null> {
  try {
    const inspect = ['buildx', 'imagetools', 'inspect', reference, '--format', '{{.Manifest.Digest}}'];
    const { stdout } = await promisify(execFile)('docker', inspect, { timeout: ANSWER_TIMEOUT_MS, env });
    return DIGEST.test(stdout.trim()) ? stdout.trim() : null;
  } catch (error) {
    const { stderr } = error as { readonly stderr?: unknown };
    progress(`${reference}: ${String(stderr ?? messageOf(error)).trim()}`);
    return null;
  }
}
