// `bundle-workflows.cli.js <entry>…`: bundles the workflows of a package for its target `generate`.
import path from 'node:path';
import { writeWorkflowBundle } from './bundle-file.js';

const entries = process.argv.slice(2);
if (entries.length === 0) {
  process.stderr.write('usage: bundle-workflows.cli.js <entry>…\n');
  process.exit(2);
}
for (const entry of entries) {
  const { buildId, codePath } = await writeWorkflowBundle(path.resolve(entry));
  process.stdout.write(`${buildId} ${path.relative(process.cwd(), codePath)}\n`);
}
