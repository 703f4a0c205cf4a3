// Starts programs that go on after this one has ended, and stops them again. A record per process in the state folder tells
// them from other processes that got the same number.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const recordOf = (state, name) => path.join(state, 'processes', `${name}.json`);

/** Returns when a process started, in ticks since the machine did, from /proc's line about it. Pure. */
export function startOf(stat) {
  const [processState, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return processState === 'Z' ? undefined : fields[18];
}

function startTime(pid) {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) ? startOf(readFileSync(file, 'utf8')) : undefined;
}

/** Returns the number of a process of the state folder that runs. */
export function runningProcess(state, name) {
  const file = recordOf(state, name);
  if (!existsSync(file)) return undefined;
  const { pid, started } = JSON.parse(readFileSync(file, 'utf8'));
  return startTime(pid) === started ? pid : undefined;
}

/** Starts a program unless it runs. Its output goes to `logs/<name>.log`. */
export function startProcess(state, name, program, args, environment = {}) {
  if (runningProcess(state, name) !== undefined) return;
  mkdirSync(path.join(state, 'logs'), { recursive: true });
  mkdirSync(path.join(state, 'processes'), { recursive: true });
  const log = openSync(path.join(state, 'logs', `${name}.log`), 'a');
  const child = spawn(program, args, { cwd: state, detached: true, stdio: ['ignore', log, log], env: { ...process.env, ...environment } });
  child.unref();
  if (child.pid === undefined) throw new Error(`${program} could not be started`);
  writeFileSync(recordOf(state, name), JSON.stringify({ pid: child.pid, started: startTime(child.pid) }));
}

/** Stops a process: asks it to end, and ends it after a time. */
export async function stopProcess(state, name, patience = 15_000) {
  const pid = runningProcess(state, name);
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    const limit = Date.now() + patience;
    while (runningProcess(state, name) !== undefined && Date.now() < limit) await sleep(100);
    if (runningProcess(state, name) !== undefined) process.kill(pid, 'SIGKILL');
    while (runningProcess(state, name) !== undefined) await sleep(100);
  }
  rmSync(recordOf(state, name), { force: true });
}

/** Returns the last lines that a process wrote. */
export function lastLines(state, name, count = 15) {
  const file = path.join(state, 'logs', `${name}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : '';
}

/** Waits until something holds. @throws Error with what a process wrote last, once it has ended or the time is over. */
export async function waitFor(state, name, what, holds, seconds) {
  const limit = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (runningProcess(state, name) === undefined) throw new Error(`${name} ended\n${lastLines(state, name)}`);
    if (Date.now() > limit) throw new Error(`${what}: not within ${seconds} s\n${lastLines(state, name)}`);
    await sleep(500);
  }
}
