// Lays out the program of every service's image: its build, the builds that it depends on, and the files that it serves.
//
//   node deploy/docker/make-programs.mjs <empty target folder>
//
// Needs `npm run generate` and `npm run build` before. Plain Node without dependencies.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { assembleProgram } from './assemble.mjs';
import { SERVICES } from './services.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('usage: node deploy/docker/make-programs.mjs <empty target folder>\n');
  process.exit(2);
}
for (const service of SERVICES) assembleProgram(`apps/${service}`, path.join(target, service, 'app'));
const site = 'apps/site/dist';
cpSync(path.join(root, site), path.join(target, 'site', 'app', site), { recursive: true, filter: (file) => !file.endsWith('.map') });
