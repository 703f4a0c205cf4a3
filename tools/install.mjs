// `node tools/install.mjs`: installs what the lockfile says and runs the install scripts that `allowScripts` in package.json
// allows, no others. npm before 11.16 does not know that list and would run them all, so none runs by itself here.
// Plain Node (20 or later) without dependencies. Everything it says goes to stderr.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Names of the packages whose scripts may run. */
export function allowedScripts() {
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name]);
}

/** @param {(command: string, args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>} run resolves with an exit code. */
export async function install(run) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const env = {
    // npm hands each of its many small files to a thread and waits for it: threads that have no core only wake each other.
    UV_THREADPOOL_SIZE: String(Math.min(4, availableParallelism())),
    ...process.env,
  };
  const steps = [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['rebuild', '--ignore-scripts=false', ...allowedScripts()],
  ];
  for (const args of steps) {
    const code = await run(npm, args, env);
    if (code !== 0) throw new Error(`npm ${args[0]} failed with exit code ${code}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install(
    (command, args, env) =>
      new Promise((resolve, reject) => {
        spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], env })
          .once('error', reject)
          .once('close', (code) => resolve(code ?? 1));
      }),
  ).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
