import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkerError } from '../worker.errors.js';

/** A bundle on disk, in the form that a worker takes. */
export interface WorkflowBundleFile {
  codePath: string;
  buildId: string;
}

const BUILD_ID_LENGTH = 16;

/** Returns the build id of a bundle's code. */
export function buildIdOf(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, BUILD_ID_LENGTH);
}

/**
 * Returns the location of an entry's bundle: that of `<package>/{src,dist}/admission.bundle.{ts,js}` is
 * `<package>/bundles/admission.<build id>.js`.
 */
export function bundlePlace(entry: string): { folder: string; name: string } {
  return {
    folder: path.join(path.dirname(entry), '..', 'bundles'),
    name: path.basename(entry).replace(/\.bundle\.[jt]s$/, ''),
  };
}

/**
 * Loads the bundle built for an entry, and checks it against the hash in its name.
 * @param entry `import.meta.resolve('@launch/workflows/<name>')`.
 * @throws WorkerError BUNDLE_MISSING, BUNDLE_CORRUPT
 */
export async function loadWorkflowBundle(entry: string): Promise<WorkflowBundleFile> {
  const { folder, name } = bundlePlace(entry.startsWith('file:') ? fileURLToPath(entry) : entry);
  const manifest = await readFile(path.join(folder, `${name}.json`), 'utf8').catch((error: unknown) => {
    throw new WorkerError('BUNDLE_MISSING', `workflow bundle ${name} was not built: run npm run generate`, {
      cause: error,
    });
  });
  const buildId = (JSON.parse(manifest) as { buildId?: unknown }).buildId;
  const codePath = path.join(folder, `${name}.${String(buildId)}.js`);
  const code = await readFile(codePath, 'utf8').catch(() => '');
  if (typeof buildId !== 'string' || buildIdOf(code) !== buildId)
    throw new WorkerError(
      'BUNDLE_CORRUPT',
      `workflow bundle ${name} is not the one its manifest names: run npm run generate`,
    );
  return { codePath, buildId };
}
