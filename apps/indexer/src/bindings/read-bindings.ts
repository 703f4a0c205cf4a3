import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  indexDeploymentSchema,
  indexSourceSchema,
  type IndexDeployment,
  type IndexSource,
  type SourceStatus,
} from '@launch/contracts/index';
import { parseStrictJson } from '@launch/contracts/json';
import { canonicalSha256, type Sha256Digest } from '@launch/contracts/primitives';

/** A binding and the deployment's settings for it. */
export interface Binding {
  readonly releaseDigest: Sha256Digest;
  readonly source: IndexSource;
  readonly status: SourceStatus;
}

export interface Bindings {
  readonly rollup: IndexDeployment['rollup'];
  readonly bindings: readonly Binding[];
}

/** A fault of the folder; the message names the file. */
export class BindingsError extends Error {
  override readonly name = 'BindingsError';
}

const DEPLOYMENT = 'deployment.json';

/**
 * Reads the bindings of a deployment: each file holds the document whose digest is its name, and `deployment.json`
 * names each of them. Hidden names, which orchestrators add to mounted folders, are skipped.
 * @throws BindingsError naming the invalid or missing file.
 */
export async function readBindings(folder: string): Promise<Bindings> {
  const names = (await readdir(folder).catch(() => refuse(folder, 'is no readable folder'))).filter(
    (name) => !name.startsWith('.'),
  );
  const deployment = indexDeploymentSchema.safeParse(await readDocument(folder, DEPLOYMENT));
  if (!deployment.success) return refuse(DEPLOYMENT, deployment.error.issues[0]?.message ?? 'is no deployment');
  const { rollup, sources } = deployment.data;
  const named = new Set(sources.map(({ releaseDigest }) => fileOf(releaseDigest)));
  const stray = names.find((name) => name !== DEPLOYMENT && !named.has(name));
  if (stray !== undefined) refuse(stray, `is named by no source of ${DEPLOYMENT}`);
  const bindings: Binding[] = [];
  for (const { releaseDigest, status } of sources) {
    const file = fileOf(releaseDigest);
    const source = indexSourceSchema.safeParse(await readDocument(folder, file));
    if (!source.success) return refuse(file, source.error.issues[0]?.message ?? 'is no source');
    if (canonicalSha256(source.data) !== releaseDigest) refuse(file, 'holds another document than its name says');
    bindings.push({ releaseDigest, source: source.data, status });
  }
  return { rollup, bindings };
}

const fileOf = (digest: Sha256Digest): string => `${digest.slice('sha256:'.length)}.json`;

const refuse = (file: string, problem: string): never => {
  throw new BindingsError(`${file}: ${problem}`);
};

async function readDocument(folder: string, file: string): Promise<unknown> {
  const bytes = await readFile(path.join(folder, file)).catch(() => refuse(file, 'cannot be read'));
  try {
    return parseStrictJson(bytes);
  } catch {
    return refuse(file, 'is no JSON');
  }
}
