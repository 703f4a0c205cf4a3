import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { indexDeploymentSchema, type IndexDeployment } from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { deploymentOf, sourceReleaseDigest, type PlacedSource } from '@launch/evm/sources';
import { notWritten, parseDocument, readJson, replaceWhole } from '../documents.js';

const DEPLOYMENT = 'deployment.json';
const MAX_DEPLOYMENT_BYTES = 1024 * 1024;

/**
 * Writes bindings to the folder of an indexer. A binding that the folder contains and the facts do not becomes retained.
 * Returns the sources of the deployment.
 *
 * @throws {DeployError} DOCUMENT_INVALID, FILE_NOT_READ, FILE_NOT_WRITTEN
 */
export function publishSources(
  folder: string,
  rollup: IndexDeployment['rollup'],
  placed: readonly PlacedSource[],
): IndexDeployment {
  const file = path.join(folder, DEPLOYMENT);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw notWritten(folder, error);
  }
  const earlier = existsSync(file)
    ? parseDocument(indexDeploymentSchema, readJson('--folder', file, MAX_DEPLOYMENT_BYTES), DEPLOYMENT).sources
    : [];
  const deployment = parseDocument(indexDeploymentSchema, deploymentOf(rollup, placed, earlier), DEPLOYMENT);
  for (const { source } of placed)
    replaceWhole(
      path.join(folder, `${sourceReleaseDigest(source).slice('sha256:'.length)}.json`),
      canonicalizeJson(source),
    );
  // Last, because it names files that must exist.
  replaceWhole(file, canonicalizeJson(deployment));
  return deployment;
}
