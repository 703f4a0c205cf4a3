// `npm run bench [-- --only <name> …] [--seconds <n>] [--list]`
import { parseArgs } from 'node:util';
import { watchParent } from '@launch/platform/processes';
import { admissionBenches } from './admission/admission.suite.js';
import { capacityBenches } from './capacity/capacity.suite.js';
import { cliBenches } from './cli/cli.suite.js';
import { createBenches } from './creates/creates.suite.js';
import { indexReadBenches } from './index-reads/index-reads.suite.js';
import { indexingBenches } from './indexing/indexing.suite.js';
import { kernelBenches } from './kernels/kernels.suite.js';
import { mannersBenches } from './manners/manners.suite.js';
import { benchDocumentSchema } from './measure/bench-document.schema.js';
import { benchTable } from './measure/table.js';
import { moduleBenches, moduleBuildBenches } from './modules/modules.suite.js';
import { planBenches } from './plans/plans.suite.js';
import { readBenches } from './reads/reads.suite.js';
import { runBenches, selectBenches } from './run-benches.js';
import { startBenchStack } from './stack/bench-stack.js';
import { verificationBenches } from './verification/verification.suite.js';

const USAGE = 'usage: npm run bench [-- [--only <name>]… [--seconds <n>] [--full] [--list]]\n';
/** A whole run takes about half of it. */
const DEFAULT_SECONDS = 3_600;
// Creates come after admissions, because they leave hundreds of launches unadmitted; slow benches that need no stack
// come last, when the stack is gone.
const BENCHES = [
  ...kernelBenches,
  ...cliBenches,
  ...admissionBenches,
  ...planBenches,
  ...mannersBenches,
  ...readBenches,
  ...moduleBenches,
  ...createBenches,
  // The index has launches afterwards that no chain has.
  ...indexReadBenches,
  ...verificationBenches,
  ...moduleBuildBenches,
  ...indexingBenches,
  ...capacityBenches,
];

function readOptions(): { only: string[]; seconds: number; full: boolean; list: boolean } | undefined {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: [] },
        seconds: { type: 'string', default: String(DEFAULT_SECONDS) },
        full: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
    const seconds = Number(values.seconds);
    return seconds > 0 && Number.isFinite(seconds) ? { ...values, seconds } : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  const benches = options === undefined ? [] : selectBenches(BENCHES, options.only);
  if (options === undefined || benches.length === 0) {
    process.stderr.write(`${USAGE}names: ${BENCHES.map(({ name }) => name).join(', ')}\n`);
    return 2;
  }
  if (options.list) {
    process.stdout.write(`${benches.map(({ name }) => name).join('\n')}\n`);
    return 0;
  }
  const interrupt = new AbortController();
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The child is guarded: it ends with this process, however that ends.
      if ((signals += 1) > 1) process.exit(130);
      process.stderr.write('stopping after the bench that runs; once more stops at once\n');
      interrupt.abort();
    });
  }
  watchParent(() => process.exit(1));
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const document = await runBenches({
    benches,
    seconds: options.seconds,
    isFull: options.full,
    say,
    startStack: () => startBenchStack(process.stderr),
    signal: interrupt.signal,
  });
  say(`\n${benchTable(document)}\n`);
  process.stdout.write(`${JSON.stringify(benchDocumentSchema.parse(document))}\n`);
  if (interrupt.signal.aborted) return 130;
  return document.missing.some(({ kind }) => kind === 'failed') ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
