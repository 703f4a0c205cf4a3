// `node tools/test-run/run-tests.mjs gate|full|nightly [arguments of Nx]`: installs what is missing, has Nx run the targets of a
// level and prints `N passed, N failed` alone on stdout. Plain Node (20 or later): it comes before the dependencies.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../install.mjs';
import { totalsOf } from './totals.mjs';

const GATE = ['format', 'lint', 'types', 'unit', 'integration', 'journey'];
const LEVELS = { gate: GATE, full: [...GATE, 'e2e', 'error-codes'], nightly: ['nightly', 'benches'] };
const JEST_TARGETS = ['unit', 'integration', 'journey', 'e2e', 'nightly'];
const SEEDS = ['TEST_SEED', 'CHAIN_SEED', 'FINALITY_SEED', 'INDEX_SEED', 'PLAN_SEED', 'RECOVERY_SEED'];

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const at = (...parts) => path.join(root, ...parts);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Seeds of the random tests: the gate judges a commit, so it has the same each time; a night draws its own. */
function seeds(level) {
  if (level !== 'nightly') return { TEST_SEED: process.env.TEST_SEED ?? '4663' };
  const drawn = String(randomInt(2 ** 31));
  const chosen = Object.fromEntries(SEEDS.map((name) => [name, process.env[name] ?? drawn]));
  process.stderr.write(
    `${Object.entries(chosen)
      .map((pair) => pair.join('='))
      .join(' ')}\n`,
  );
  return chosen;
}

/** Runs Nx on the repository's own Node; resolves with its exit code. Its output goes to stderr. */
function nx(args, level) {
  const bin = at('node_modules', '.bin');
  const env = { ...process.env, ...level, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(bin, 'nx'), args, { cwd: root, stdio: ['ignore', 2, 2], env });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** @returns what passed and failed of the level's targets. */
async function run(level, args) {
  install();
  rmSync(at('reports'), { recursive: true, force: true });
  mkdirSync(at('reports', 'error-codes'), { recursive: true });
  rmSync(at('.nx', 'cache', 'run.json'), { force: true });
  const targets = LEVELS[level];
  const command = ['run-many', '-t', ...targets, ...args];
  const environment = seeds(level);
  const plan = at('reports', 'tasks.json');
  const planned = await nx([...command, `--graph=${plan}`], environment);
  if (planned !== 0) throw new Error(`nx could not plan the run: ${planned}`);
  const tasks = Object.values(readJson(plan).tasks.tasks)
    .filter(({ target }) => targets.includes(target.target))
    .map(({ id, target }) => ({ id, isJest: JEST_TARGETS.includes(target.target) }));
  const code = await nx(command, environment);
  const codes = new Map(readJson(at('.nx', 'cache', 'run.json')).tasks.map(({ taskId, status }) => [taskId, status]));
  const totals = totalsOf(tasks, codes, (id) => {
    const [project, target] = id.split(':');
    const report = at('reports', target, `${project}.json`);
    return existsSync(report) ? readJson(report) : undefined;
  });
  if (tasks.length > 0 && (code === 0 || totals.failed > 0)) return totals;
  return { ...totals, failed: totals.failed + 1, failures: [...totals.failures, `nx ended with ${code}`] };
}

const [level = '', ...args] = process.argv.slice(2);
if (!(level in LEVELS)) {
  process.stderr.write(`usage: node tools/test-run/run-tests.mjs ${Object.keys(LEVELS).join('|')} [arguments of Nx]\n`);
  process.exit(2);
}
const { passed, failed, failures } = await run(level, args).catch((error) => ({
  passed: 0,
  failed: 1,
  failures: [error.stack],
}));
for (const failure of failures) process.stderr.write(`failed: ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
