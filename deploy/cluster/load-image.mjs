// Imports images of the local Docker daemon into the node. A pod that names one needs `imagePullPolicy: IfNotPresent` or `Never`.
//
//   node deploy/cluster/load-image.mjs --state <folder> <tag> [<tag> ...]
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTool } from '../helm/find-helm.mjs';
import { importArchive } from './containers.mjs';

const { values, positionals: tags } = parseArgs({ allowPositionals: true, options: { state: { type: 'string' } } });
if (values.state === undefined || tags.length === 0) {
  process.stderr.write('usage: node deploy/cluster/load-image.mjs --state <folder> <tag> [<tag> ...]\n');
  process.exitCode = 2;
} else {
  const state = path.resolve(values.state);
  const work = mkdtempSync(path.join(state, 'import-'));
  try {
    // One archive has each layer once, however many images have it.
    const archive = path.join(work, 'images.tar');
    runTool('docker', ['save', '--output', archive, ...tags]);
    importArchive(state, archive);
    process.stdout.write(`${tags.join('\n')}\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
}
