import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { areUnchanged, hashesOf } from './bundle-sources.js';
import type { WorkflowBundle } from './bundle-workflows.js';
import { bundleWorkflows } from './bundle-workflows.js';
import { bundlePlace, loadWorkflowBundle, type WorkflowBundleFile } from './built-bundle.js';

/** Bundles an entry's workflows in the build and writes them to the location from which `loadWorkflowBundle` reads. */
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
 * Returns the built bundle of an entry while all of its inputs are unchanged, and a new one otherwise. A suite gets the
 * current workflows in a tenth of a second this way; bundling takes about five seconds.
 */
export async function currentWorkflowBundle(entry: string): Promise<WorkflowBundle> {
  const { folder, name } = bundlePlace(entry);
  const manifest = await readFile(path.join(folder, `${name}.json`), 'utf8').catch(() => '{}');
  if (!(await areUnchanged((JSON.parse(manifest) as { sources?: unknown }).sources))) return bundleWorkflows(entry);
  const { codePath, buildId } = await loadWorkflowBundle(entry);
  return { code: await readFile(codePath, 'utf8'), buildId };
}
