// The tests of one kind in one project, for Nx: `node tools/test-run/project.mjs unit libs/evm`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { KINDS } from './kinds.mjs';

const [kind = '', project = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../..');
const inside = path.relative(root, path.resolve(root, project));
if (!(kind in KINDS) || inside === '' || inside.startsWith('..')) {
  process.stderr.write(`project.mjs <${Object.keys(KINDS).join('|')}> <folder of a project>\n`);
  process.exit(2);
}
const escaped = inside
  .split(path.sep)
  .join('/')
  .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    `--testPathPatterns=/${escaped}/.*${KINDS[kind]}`,
  ],
  { cwd: root, stdio: 'inherit' },
);
child.once('close', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1);
});
