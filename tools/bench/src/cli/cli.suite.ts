import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnGuarded } from '@launch/platform/processes';
import type { Bench } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, timed } from '../measure/sampling.js';

const ROUNDS = 15;

/** The published file, written by `npm run generate`. */
const LAUNCH = fileURLToPath(new URL('../../../../clients/launch-cli/bundles/launch.mjs', import.meta.url));

/** Milliseconds from the start of a Node process to its end. */
async function ran(argv: readonly string[]): Promise<number> {
  const { milliseconds, result } = await timed(async () => {
    const child = spawnGuarded(process.execPath, [...argv], { stdio: ['ignore', 'ignore', 2] });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  });
  if (result !== 0) throw new Error(`node ${argv.join(' ')} ended with ${result}`);
  return milliseconds;
}

async function measureHelp(): Promise<Measurement[]> {
  const samples = await alternate(ROUNDS, { ours: () => ran([LAUNCH, '--help']), peer: () => ran(['--eval', '']) });
  return [
    compared(
      { name: 'cli.help', unit: 'ms', better: 'lower', summary: 'median', peerName: 'bare Node that runs nothing' },
      samples,
    ),
  ];
}

export const cliBenches: readonly Bench[] = [{ name: 'cli.help', needsStack: false, run: measureHelp }];
