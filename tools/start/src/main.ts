// `npm start [-- --once] [--json] [--policy v2|reachable] [--finality v2|v3] [--finality-seconds n] [--fresh]`
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { watchParent } from '@launch/platform/processes';
import { askAtTerminal } from './ask-at-terminal.js';
import { createProgress } from './progress.js';
import type { Progress } from './progress.js';
import { describeCase, REFERENCE_LAUNCHES, type ReferenceCase } from './reference-launch/pack-case.js';
import { runReferenceLaunch } from './reference-launch/reference-launch.js';
import type { RunningStack } from './stack.js';
import { startStack } from './stack.js';

const USAGE = 'usage: npm start [-- [--once] [--no-launch] [--json] [--policy v2|reachable] [--finality v2|v3] [--finality-seconds <n>] [--fresh]]\n';
const root = path.resolve(import.meta.dirname, '../../..');

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        /** Run the reference launches, then stop. */
        once: { type: 'boolean', default: false },
        /** Without the reference launch that otherwise shows that everything works. */
        'no-launch': { type: 'boolean', default: false },
        /** `stack.json` as the last line of stdout; everything else on stderr. */
        json: { type: 'boolean', default: false },
        /** New chains; the state that is there is moved aside. */
        fresh: { type: 'boolean', default: false },
        policy: { type: 'string', default: process.env['LAUNCH_POLICY'] || 'reachable' },
        finality: { type: 'string', default: process.env['LAUNCH_FINALITY'] || 'v2' },
        'finality-seconds': { type: 'string', default: process.env['LAUNCH_FINALITY_SECONDS'] || '10' },
      },
    });
    const finalitySeconds = Number(values['finality-seconds']);
    const { policy, finality } = values;
    if (!Number.isFinite(finalitySeconds) || (policy !== 'v2' && policy !== 'reachable') || (finality !== 'v2' && finality !== 'v3')) return undefined;
    return { once: values.once, launch: !values['no-launch'], json: values.json, fresh: values.fresh, policy, finality, finalitySeconds } as const;
  } catch {
    return undefined;
  }
}

async function runReferenceLaunches(running: RunningStack, cases: readonly ReferenceCase[], progress: Progress): Promise<void> {
  const workDir = await mkdtemp(path.join(running.stack.dataDir, 'reference-'));
  for (const referenceCase of cases) {
    progress.line(`reference launch: ${describeCase(referenceCase)}`);
    const startedAt = Date.now();
    const result = await runReferenceLaunch({
      stack: running.stack,
      referenceCase,
      bundles: path.join(root, 'clients', 'multi-role', 'bundles'),
      workDir: path.join(workDir, referenceCase),
      onStage: (stage, milliseconds, detail) => progress.line(`  ✔ ${stage.padEnd(24)}${`${(milliseconds / 1000).toFixed(1)} s`.padStart(8)}  ${detail ?? ''}`.trimEnd()),
    });
    progress.line(`  launch ${result.launchId} is finalized after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; files in ${path.join(workDir, referenceCase)}`);
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const progress = createProgress(options.json ? process.stderr : process.stdout);
  const dir = path.resolve(root, process.env['LAUNCH_DATA_DIR'] || '.data');
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1;
      // The reaper ends whatever is left when this process is gone.
      if (signals > 1) process.exit(1);
      progress.line('stopping');
      end(0);
    });
  }
  watchParent(() => end(1));
  const startedAt = Date.now();
  progress.line(`launch: state in ${dir}`);
  const starting = startStack({
    dir,
    policy: options.policy,
    finality: options.finality,
    finalitySeconds: options.finalitySeconds,
    fresh: options.fresh,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm: askAtTerminal } : {}),
    progress,
    onFatal: (reason) => {
      progress.line(`  ✘ ${reason}`);
      end(1);
    },
  });
  const first = await Promise.race([starting, ended]);
  if (typeof first === 'number') {
    // Stopped while starting: what comes up late is put away as well.
    await starting.then((running) => running.stop()).catch(() => undefined);
    return first;
  }
  const running = first;
  const { stack } = running;
  progress.line(`ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${stack.gateway}${stack.temporal.ui === null ? '' : `, workflows at ${stack.temporal.ui}`}`);
  let code: number;
  if (options.once) {
    const launches = runReferenceLaunches(running, REFERENCE_LAUNCHES, progress).then(
      () => 0,
      (error: unknown) => {
        progress.line(`  ✘ ${error instanceof Error ? error.message : String(error)}`);
        return 1;
      },
    );
    code = await Promise.race([launches, ended]);
  } else {
    if (options.json) process.stdout.write(`${JSON.stringify(stack)}\n`);
    // What fails here is said and left to be looked at: the stack stays up either way.
    if (options.launch) {
      const launched = runReferenceLaunches(running, ['zero'], progress).catch((error: unknown) => progress.line(`  ✘ ${error instanceof Error ? error.message : String(error)}`));
      await Promise.race([launched, ended]);
    }
    progress.line(`every address is in ${path.join(stack.dataDir, 'stack.json')}; Ctrl-C stops everything`);
    code = await ended;
  }
  await running.stop();
  if (options.once && options.json) process.stdout.write(`${JSON.stringify(stack)}\n`);
  progress.line('stopped');
  return code;
}

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`launch: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
