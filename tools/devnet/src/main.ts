/**
 * The development chains as a child process. One JSON line on stdout reports that they are ready; SIGTERM, SIGINT or the end of
 * the parent stops them cleanly.
 */
import { parseArgs } from 'node:util';
import { startDevnet } from './devnet.js';
import { DevnetError } from './devnet.errors.js';
import type { DevnetOptions } from './devnet.options.js';

const PARENT_CHECK_MS = 500;
const USAGE =
  'usage: main --dir <folder> [--finality-seconds <n>] [--l2-block-ms <n>] [--permit-key-file <file>] [--ports <4663>,<4663>,<1>,<1>,<faults>] [--host <address>] [--idle-block-ms <n>] [--fresh] [--json]\n';

function readOptions(): DevnetOptions | null {
  try {
    const { values } = parseArgs({
      options: {
        dir: { type: 'string' },
        'finality-seconds': { type: 'string' },
        'l2-block-ms': { type: 'string' },
        'permit-key-file': { type: 'string' },
        /** Two providers of each chain, then the controls; 0 selects a free port. */
        ports: { type: 'string' },
        host: { type: 'string' },
        /** 0: the chains are never idle. */
        'idle-block-ms': { type: 'string' },
        /** Replaces the chains in the folder by new ones with new keys. */
        fresh: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.dir === undefined) return null;
    const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
    return {
      dir: values.dir,
      finalitySeconds: number(values['finality-seconds']),
      l2BlockMs: number(values['l2-block-ms']),
      idleBlockMs: number(values['idle-block-ms']),
      permitAuthorityKeyFile: values['permit-key-file'],
      ports: values.ports === undefined ? undefined : readPorts(values.ports),
      host: values.host,
      fresh: values.fresh,
    };
  } catch {
    return null;
  }
}

/** Reads ports. The options' schema refuses a value that is not a port. */
function readPorts(text: string): NonNullable<DevnetOptions['ports']> {
  const [l2First, l2Second, l1First, l1Second, faults] = text.split(',').map(Number);
  const none = Number.NaN;
  return {
    '4663': [l2First ?? none, l2Second ?? none],
    '1': [l1First ?? none, l1Second ?? none],
    faults: faults ?? none,
  };
}

/** Resolves when this process should end. */
function stopAsked(): Promise<'asked'> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const stop = (): void => {
      clearInterval(timer);
      resolve('asked');
    };
    // An orphan is assigned another parent.
    const timer = setInterval(() => {
      if (process.ppid !== parent) stop();
    }, PARENT_CHECK_MS);
    process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);
  });
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const asked = stopAsked();
  const devnet = await startDevnet(options);
  process.stdout.write(`${JSON.stringify(devnet.description)}\n`);
  const reason = await Promise.race([asked, devnet.failed]);
  await devnet.stop();
  if (reason === 'asked') return 0;
  process.stderr.write(`${JSON.stringify({ msg: 'devnet failed', code: reason.code, message: reason.message })}\n`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const code = error instanceof DevnetError ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : 'unknown problem';
  const data = error instanceof DevnetError ? error.data : {};
  process.stderr.write(`${JSON.stringify({ msg: 'devnet did not start', code, message, data })}\n`);
  process.exitCode = 1;
}
// A closed stdin pipe or an IPC channel must not keep an ended devnet alive.
process.exit();
