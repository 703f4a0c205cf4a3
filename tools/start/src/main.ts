// `npm start [-- option …]`; `npm start -- --help` lists the options.
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { CustomLaunchProfileName, FinalityName, PolicyName } from '@launch/evm';
import { killAll, watchParent } from '@launch/platform/processes';
import { askAtTerminal } from './ask-at-terminal.js';
import { createProgress, isGivenUp } from './progress.js';
import type { Progress } from './progress.js';
import { runCustomLaunch } from './reference-launch/custom-launch.js';
import { describeCase, REFERENCE_LAUNCHES } from './reference-launch/pack-case.js';
import { runReferenceLaunch, type ReferenceLaunchOptions } from './reference-launch/reference-launch.js';
import { runSequentialPlan } from './reference-launch/sequential-plan.js';
import { chainOf, sourceName } from './source-launches/made-launch.js';
import { launchesOfFeeds, snapshotDigest } from './source-launches/published-launches.js';
import { awaitIndexed, makeSourceLaunches } from './source-launches/source-launches.js';
import { runReferenceModule } from './reference-module/reference-module.js';
import { describeProblem, settingProblems } from './settings.js';
import { addressLines, readyAddresses } from './stack-addresses.js';
import type { RunningStack } from './stack.js';
import { startStack } from './stack.js';
import { HELP, readStartOptions } from './start-options.js';

const root = path.resolve(import.meta.dirname, '../../..');
const bundles = path.join(root, 'clients', 'multi-role', 'bundles');

/** A press arrives twice if the parent process forwards the signal. */
const SAME_PRESS_MS = 300;
let killing: Promise<void> | undefined;

/** The first signal stops in order, the second kills everything that is left. */
function listenForSignals(onFirst: (signal: string) => void, onSecond: () => void): void {
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (first === undefined) {
        first = Date.now();
        onFirst(signal);
      } else if (Date.now() - first > SAME_PRESS_MS) {
        if (killing !== undefined) return;
        onSecond();
        killing = killAll();
        void exit(1);
      }
    });
  }
}

/** Ends this process, after what a second signal kills. */
async function exit(code: number): Promise<never> {
  await killing;
  process.exit(killing === undefined ? code : 1);
}

/** A launch that shows the whole way. */
interface Example {
  readonly name: string;
  readonly title: string;
  /** The profile under which it can be made; every one where it is no custom launch and no plan. */
  readonly profile?: CustomLaunchProfileName;
  readonly run: (options: Omit<ReferenceLaunchOptions, 'referenceCase'>) => Promise<{ readonly launchId: string }>;
}

const EXAMPLES: readonly Example[] = [
  ...REFERENCE_LAUNCHES.map((referenceCase) => ({
    name: referenceCase,
    title: describeCase(referenceCase),
    run: (options: Omit<ReferenceLaunchOptions, 'referenceCase'>) => runReferenceLaunch({ ...options, referenceCase }),
  })),
  {
    name: 'v4',
    title: 'custom launch, one token and its hook, with the least initial buy',
    profile: '4.1',
    run: runCustomLaunch,
  },
  { name: 'v4', title: 'custom launch of profile 4.0, without an initial buy', profile: '4.0', run: runCustomLaunch },
  {
    name: 'plan',
    title: 'sequential plan of the same, a wallet transaction a step',
    profile: '4.1',
    run: runSequentialPlan,
  },
];

/** Said of a stage that was reached. */
const stageLine = (stage: string, milliseconds: number, detail?: string): string =>
  `✔ ${stage.padEnd(24)}${`${(milliseconds / 1000).toFixed(1)} s`.padStart(8)}  ${detail ?? ''}`;

/** A module from its author's folder to a decision. */
async function contributeModule({ stack }: RunningStack, progress: Progress): Promise<void> {
  const startedAt = Date.now();
  const say = (text: string): void => progress.line(`  module  ${text}`.trimEnd());
  progress.line('reference module: a draft with its review, by the module CLI and the reviewer API');
  const workDir = await mkdtemp(path.join(stack.dataDir, 'reference-module-'));
  const { submissionId } = await runReferenceModule({
    stack,
    workDir,
    onStage: (...reached) => say(stageLine(...reached)),
  });
  say(
    `submission ${submissionId} is accepted after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; files in ${workDir}`,
  );
}

/** Launches by other people, which the index finds; and what it shows of them when they are final. */
async function launchSources({ stack }: RunningStack, progress: Progress): Promise<() => Promise<void>> {
  progress.line('source launches: by other wallets, for the index to find');
  const startedAt = Date.now();
  const made = await makeSourceLaunches({ stack, bundles });
  progress.line(`  index  ${stageLine('launched', Date.now() - startedAt, `${made.length} launches`)}`.trimEnd());
  const say = (stage: string, detail: string): void =>
    progress.line(`  index  ${stageLine(stage, Date.now() - startedAt, detail)}`.trimEnd());
  return async () => {
    const all = [...made, ...(await launchesOfFeeds(stack))];
    for (const { source, made: count, found, quarantined } of await awaitIndexed({ stack }, all)) {
      const refused = Object.entries(quarantined).map(([reason, times]) => `, quarantined ${times} (${reason})`);
      say(source, `${found} of ${count}${refused.join('')}`);
    }
    say('snapshot', `${await snapshotDigest(stack)}, twice`);
    for (const one of made.filter(({ quarantined }) => quarantined === undefined))
      say(sourceName(one), `${one.token} on chain ${chainOf(one.sourceVersion)}`);
  };
}

/**
 * Runs the launches one after the other up to each transaction's block. The next is packed without waiting for the finality of
 * the one before.
 */
async function runReferenceLaunches(
  running: RunningStack,
  examples: readonly Example[],
  progress: Progress,
): Promise<void> {
  const workDir = await mkdtemp(path.join(running.stack.dataDir, 'reference-'));
  const width = Math.max(...examples.map(({ name }) => name.length));
  const launches: Promise<void>[] = [];
  for (const { name, title, run } of examples) {
    const startedAt = Date.now();
    const say = (text: string): void => progress.line(`  ${name.padEnd(width)}  ${text}`.trimEnd());
    progress.line(`reference launch: ${title}`);
    let include: () => void = () => undefined;
    const included = new Promise<void>((resolve) => (include = resolve));
    const launch = run({
      stack: running.stack,
      bundles,
      workDir: path.join(workDir, name),
      onStage: (stage, milliseconds, detail) => {
        say(stageLine(stage, milliseconds, detail));
        if (stage === 'included') include();
      },
    }).then(({ launchId }) =>
      say(
        `launch ${launchId} is finalized after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; files in ${path.join(workDir, name)}`,
      ),
    );
    launches.push(launch);
    // One that fails after its block is heard of at the end; one that fails before ends the row at once.
    launch.catch(() => undefined);
    await Promise.race([included, launch]);
  }
  await Promise.all(launches);
}

async function main(): Promise<number> {
  const given = readStartOptions(process.argv.slice(2), process.env);
  if (given.kind === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (given.kind === 'refused') {
    process.stderr.write(`launch: ${given.reason}\n\n${HELP}`);
    return 2;
  }
  const { options } = given;
  const dir = path.resolve(root, process.env['LAUNCH_DATA_DIR'] || '.data');
  const problems = await settingProblems({ options: options.settings, dir, env: process.env, root });
  if (problems.length > 0) {
    process.stderr.write(problems.map((problem) => `launch: ${describeProblem(problem)}\n`).join(''));
    return 2;
  }
  const progress = createProgress(options.json ? process.stderr : process.stdout);
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const asked = new AbortController();
  const stop = (code: number): void => {
    end(code);
    asked.abort();
  };
  listenForSignals(
    (signal) => {
      progress.line(`stopping (${signal}); once more ends everything at once`);
      // The one run that was asked for did not succeed.
      stop(options.once ? 1 : 0);
    },
    () => progress.line('ending everything at once'),
  );
  watchParent(() => stop(1));
  const startedAt = Date.now();
  const published = options.settings.profile.value as CustomLaunchProfileName;
  const examples = EXAMPLES.filter(({ profile }) => profile === undefined || profile === published);
  progress.line(`launch: state in ${dir}`);
  let running: RunningStack;
  try {
    running = await startStack({
      dir,
      policy: options.settings.policy.value as PolicyName,
      finality: options.settings.finality.value as FinalityName,
      profile: published,
      finalitySeconds: Number(options.settings['finality-seconds'].value),
      fresh: options.fresh,
      launchBeforeEnd: options.examples !== 'none',
      site: true,
      ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm: askAtTerminal } : {}),
      progress,
      signal: asked.signal,
      onFatal: (reason) => {
        progress.line(`  ✘ ${reason}`);
        stop(1);
      },
    });
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    progress.line('stopped');
    return ended;
  }
  const { stack } = running;
  progress.line(`ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${readyAddresses(stack)}`);
  let code: number;
  const launch = (some: readonly Example[], all = false): Promise<number> =>
    runReferenceLaunches(running, some, progress)
      .then(async () => {
        if (!all) return;
        const awaitSources = await launchSources(running, progress);
        await contributeModule(running, progress);
        await awaitSources();
      })
      .then(
        () => 0,
        (error: unknown) => {
          // A launch that loses its stack says nothing of either.
          if (!asked.signal.aborted) progress.line(`  ✘ ${error instanceof Error ? error.message : String(error)}`);
          return 1;
        },
      );
  if (options.once) {
    code = await Promise.race([launch(examples, true), ended]);
  } else {
    if (options.json) process.stdout.write(`${JSON.stringify(stack)}\n`);
    // The stack stays up after a failure here, which is printed, so that it can be examined.
    if (options.examples === 'first') await Promise.race([launch(examples.slice(0, 1)), ended]);
    if (options.examples === 'all') await Promise.race([launch(examples, true), ended]);
    if (!asked.signal.aborted) {
      for (const line of addressLines(stack)) progress.line(line);
      progress.line(`every address is in ${path.join(stack.dataDir, 'stack.json')}; Ctrl-C stops everything`);
    }
    code = await ended;
  }
  await running.stop();
  if (options.once && options.json) process.stdout.write(`${JSON.stringify(stack)}\n`);
  progress.line('stopped');
  return code;
}

try {
  await exit(await main());
} catch (error) {
  if (killing === undefined)
    process.stderr.write(`launch: ${error instanceof Error ? error.message : String(error)}\n`);
  await exit(1);
}
