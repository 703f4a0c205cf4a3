// Runs steps one after the other, or some side by side, with one line of totals at the end; what its caller started ends
// with it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readReport } from './jest-report.mjs';
import { letYield } from './let-yield.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { memoryStepNs } from './memory-step.mjs';
import { budgetLines } from './stages.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
const inMemory = memoryFolder();
// What the steps and their servers take for the system's temporary folder, this process too.
if (inMemory !== undefined) process.env.TMPDIR = inMemory;
const reports = mkdtempSync(path.join(tmpdir(), 'launch-test-reports-'));
export const MINUTE = 60_000;
/** Jest has written its report and still does not end: something it ran was left open. */
const EXIT_GRACE_MS = 30_000;

/** A file that steps of one run hand on; it goes with the run. */
export const runFile = (name) => path.join(reports, name);

/** A step of Jest over the files that match `pattern`; `env` is for this step alone. */
export const jest = (name, pattern, workers, timeoutMs, { env = {}, options = [] } = {}) => ({
  name,
  timeoutMs,
  env,
  report: path.join(reports, `${name}.json`),
  command: [
    '--experimental-vm-modules',
    '--no-warnings',
    path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    `--testPathPatterns=${pattern}`,
    `--maxWorkers=${workers}`,
    ...options,
    '--json',
    `--outputFile=${path.join(reports, `${name}.json`)}`,
  ],
});

const running = new Set();

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Ends this process before its steps have ended. */
function giveUp() {
  for (const child of running) kill(child);
  removeFiles();
  process.exit(1);
}

function removeFiles() {
  try {
    rmSync(inMemory ?? reports, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    // A server of the run that still ends writes there; in memory the next run removes it.
    process.stderr.write(`files of the run were left: ${error.message}\n`);
  }
}

/** Runs one step; resolves with why it failed, or undefined. */
async function runStep(step) {
  const child = spawn(process.execPath, step.command, {
    cwd: root,
    detached: true,
    // Jest's JSON would otherwise go to stdout; its readable output is on stderr.
    stdio: ['ignore', step.report === undefined ? 2 : 'ignore', 2],
    env: {
      ...process.env,
      ...step.env,
      NX_DAEMON: 'false',
      LAUNCH_TEST_OWNER_PID: String(process.pid),
      LAUNCH_PARENT_PID: '',
    },
  });
  running.add(child);
  if (step.yields) letYield(child.pid);
  const ended = new Promise((resolve) =>
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code === 0 ? undefined : `ended with ${code ?? signal}`);
    }),
  );
  const until = Date.now() + step.timeoutMs;
  let reportedAt;
  for (;;) {
    const outcome = await Promise.race([ended.then((failure) => ({ failure })), sleep(500)]);
    if (outcome !== undefined) return outcome.failure;
    if (step.report !== undefined && existsSync(step.report)) reportedAt ??= Date.now();
    const late = Date.now() > until ? `took longer than ${step.timeoutMs / MINUTE} minutes` : undefined;
    const stuck =
      reportedAt !== undefined && Date.now() > reportedAt + EXIT_GRACE_MS
        ? 'left something open and did not end'
        : undefined;
    if (late === undefined && stuck === undefined) continue;
    kill(child);
    await ended;
    return late ?? stuck;
  }
}

/**
 * Servers that suites share (libs/testing, tools/e2e/src/stacks) end with this process; here they are asked to, and
 * waited for.
 */
async function endDaemon(name) {
  const stateDir = path.join(tmpdir(), `launch-${name}-${process.getuid?.() ?? 0}-${process.pid}`);
  const file = path.join(stateDir, 'daemon.json');
  if (!existsSync(file)) return;
  const { pid } = JSON.parse(readFileSync(file, 'utf8'));
  try {
    process.kill(pid, 'SIGTERM');
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) process.kill(pid, 0);
  } catch {
    // Gone, as asked.
  }
  rmSync(`${stateDir}.lock`, { force: true });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, giveUp);
}

// The process that started this is gone (kill -9): nobody waits for the result, and nothing may be left running.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) giveUp();
}, 500).unref();

/** Runs one step and says what came of it: seconds, tests, and what failed. */
async function ranStep(step) {
  const startedAt = Date.now();
  const failure = await runStep(step);
  const seconds = (Date.now() - startedAt) / 1000;
  const totals =
    step.report === undefined
      ? { passed: failure === undefined ? 1 : 0, failed: 0, failures: [] }
      : readReport(step.report, root);
  // A step that failed without a failed test still counts as a failure.
  if (failure !== undefined && totals.failed === 0) {
    totals.failed = 1;
    totals.failures.push(`${step.name}: ${failure}`);
  }
  process.stderr.write(`${step.name}: ${totals.passed} passed, ${totals.failed} failed, ${seconds.toFixed(1)} s\n`);
  return { name: step.name, seconds, ...totals };
}

/**
 * Runs all steps, says what each took against its budget and on stdout how many tests passed and failed, and ends this process.
 * @param steps One after the other. An array in place of a step has lanes: arrays of steps, each run beside the other lanes.
 * @param before Seconds by stage of what ran before the first step.
 */
export async function runSteps(steps, before = {}) {
  const startedAt = Date.now();
  const stepBefore = memoryStepNs();
  const ran = [];
  const runLane = async (lane) => {
    for (const step of lane) ran.push(await ranStep(step));
  };
  for (const step of steps) await Promise.all((Array.isArray(step) ? step : [[step]]).map(runLane));
  await Promise.all(['test', 'stacks'].map(endDaemon));
  removeFiles();
  for (const { failures } of ran) for (const failure of failures) process.stderr.write(`failed: ${failure}\n`);
  const whole = Object.values(before).reduce((sum, seconds) => sum + seconds, (Date.now() - startedAt) / 1000);
  const taken = { ...before, ...Object.fromEntries(ran.map(({ name, seconds }) => [name, seconds])) };
  const budgets = budgetLines(taken, whole);
  for (const line of budgets) process.stderr.write(`${line}\n`);
  // The budget is one of quiet cores: who reads that it was missed sees here whether they were.
  if (budgets.length > 0)
    process.stderr.write(
      `a step through 8 MiB of memory took ${stepBefore.toFixed(0)} ns before the run, ${memoryStepNs().toFixed(0)} ns after it\n`,
    );
  const [passed, failed] = ['passed', 'failed'].map((kind) => ran.reduce((sum, step) => sum + step[kind], 0));
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
