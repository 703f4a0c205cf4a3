import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkerError } from '../worker.errors.js';
import { areUnchanged, hashesOf } from './bundle-sources.js';
import type { WorkflowBundle } from './bundle-workflows.js';
import { buildIdOf, bundleWorkflows } from './bundle-workflows.js';

/** A bundle on disk, as a worker takes it. */
export interface WorkflowBundleFile {
  codePath: string;
  buildId: string;
}

/** `<package>/{src,dist}/admission.bundle.{ts,js}` is bundled into `<package>/dist/bundles/admission.<build id>.js`. */
function bundlePlace(entry: string): { folder: string; name: string } {
  return {
    folder: path.join(path.dirname(entry), '..', 'dist', 'bundles'),
    name: path.basename(entry).replace(/\.bundle\.[jt]s$/, ''),
  };
}

/** The build step: bundles an entry's workflows and writes them where `loadWorkflowBundle` looks. */
export async function writeWorkflowBundle(entry: string): Promise<WorkflowBundleFile> {
  const { folder, name } = bundlePlace(entry);
  const bundle = await bundleWorkflows(entry);
  await mkdir(folder, { recursive: true });
  const codePath = path.join(folder, `${name}.${bundle.buildId}.js`);
  await writeAtomically(codePath, bundle.code);
  const manifest = { buildId: bundle.buildId, sources: await hashesOf(bundle.sources) };
  await writeAtomically(path.join(folder, `${name}.json`), `${JSON.stringify(manifest)}\n`);
  for (const file of await readdir(folder)) {
    if (file !== path.basename(codePath) && new RegExp(`^${name}\\.[0-9a-f]{16}\\.js$`).test(file))
      await rm(path.join(folder, file));
  }
  return { codePath, buildId: bundle.buildId };
}

async function writeAtomically(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, text);
  await rename(partial, file);
}

/**
 * The bundle built for an entry, checked against the hash in its name.
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

/**
 * The bundle that was built for an entry, while everything that it was made of is what it was; one made anew otherwise. A
 * suite has the workflows as they stand for a tenth of a second, where a bundling takes some five.
 */
export async function currentWorkflowBundle(entry: string): Promise<WorkflowBundle> {
  const { folder, name } = bundlePlace(entry);
  const manifest = await readFile(path.join(folder, `${name}.json`), 'utf8').catch(() => '{}');
  if (!(await areUnchanged((JSON.parse(manifest) as { sources?: unknown }).sources))) return bundleWorkflows(entry);
  const { codePath, buildId } = await loadWorkflowBundle(entry);
  return { code: await readFile(codePath, 'utf8'), buildId };
}
