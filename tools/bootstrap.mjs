// `node tools/bootstrap.mjs test|nightly [arguments]`: makes a fresh checkout ready, then runs what was asked for
// on the repository's own Node. Plain Node (20 or later) without dependencies: it is what comes before them.
// Everything it says goes to stderr, so that stdout belongs to what it runs.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
import { install } from './install.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => path.join(root, ...parts);
const node = at('node_modules', 'node', 'bin', 'node');

const TARGETS = {
  test: ['tools/test-run/run-tests.mjs'],
  nightly: ['tools/test-run/run-nightly.mjs'],
};

const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a command to its end and resolves with its exit code; a terminal's Ctrl-C is for the command to answer. */
function run(command, args, stdio, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio, env });
    const forward = (signal) => child.kill(signal);
    const ignore = () => {};
    process.on('SIGINT', ignore).on('SIGTERM', forward).on('SIGHUP', forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', ignore).off('SIGTERM', forward).off('SIGHUP', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

async function must(title, command, args) {
  const code = await run(command, args, ['ignore', 2, 2], {
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
  });
  if (code !== 0) throw new Error(`${title} failed with exit code ${code}`);
}

async function prepare() {
  install();
  await must('the build', node, [at('node_modules', 'nx', 'bin', 'nx.js'), 'run-many', '-t', 'build']);
}

const [target, ...args] = process.argv.slice(2);
const begunAt = Date.now();
if (!(target in TARGETS)) {
  say(`usage: node tools/bootstrap.mjs ${Object.keys(TARGETS).join('|')} [arguments]`);
  process.exit(2);
}
if (process.env.npm_lifecycle_event !== undefined) endWithParent();
try {
  await prepare();
} catch (error) {
  say(error.message);
  if (target === 'test' || target === 'nightly') process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}
const env = {
  ...process.env,
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
  LAUNCH_PARENT_PID: String(process.pid),
  // What `npm test` holds against its budget.
  LAUNCH_PREPARE_SECONDS: String((Date.now() - begunAt) / 1000),
};
process.exitCode = await run(node, [...TARGETS[target].map((file) => at(file)), ...args], 'inherit', env);
