import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { openBlobReader, openBlobStore } from '@launch/blob-store';
import { createBuildEvidence } from './build-evidence.service.js';
import type { BuildAnswer, BuildQuestion } from './build.process.js';

/**
 * Ends the process with SIGVTALRM when its processor time is used up, and with SIGKILL when its parent is gone. It runs
 * in its own thread, since neither parsing nor analysing yields. Compilers are separate processes with their own
 * bounds.
 */
const GUARD = `
const { workerData } = require('node:worker_threads');
const { parent, cpuMs } = workerData;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  else if ((user + system) / 1000 > cpuMs) process.kill(process.pid, 'SIGVTALRM');
}, 100);
`;

/** Builds the one plan in the request on standard input, and writes the answer to standard output. */
export async function answerBuild(): Promise<void> {
  const parent = process.ppid;
  const { input, blobs, results, policy, sourceCommit, cpuMs } = JSON.parse(await text(process.stdin)) as BuildQuestion;
  new Worker(GUARD, { eval: true, workerData: { parent, cpuMs }, env: {} }).unref();
  const evidence = createBuildEvidence({
    blobs: openBlobReader(blobs),
    results: openBlobStore(results),
    policy,
    sourceCommit,
  });
  process.stdout.write(JSON.stringify(await answerOf(() => evidence(input, new AbortController().signal))));
}

/** Returns a failure in a form for another process: only the name of a foreign error. */
async function answerOf(build: () => ReturnType<ReturnType<typeof createBuildEvidence>>): Promise<BuildAnswer> {
  try {
    return { kind: 'verdict', verdict: await build() };
  } catch (error) {
    const { name, code, message, retryable } = error as Readonly<Record<string, unknown>>;
    const isOurs = typeof code === 'string' && typeof retryable === 'boolean' && typeof message === 'string';
    return isOurs
      ? { kind: 'error', error: { code, message, retryable } }
      : { kind: 'fault', name: typeof name === 'string' ? name : typeof error };
  }
}
