import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createCompiler, type CompileTarget } from '@launch/compiler';
import { BUILD_OUTPUTS } from '@launch/contracts/modules';
import { spawnGuarded, stopChild } from '@launch/platform/processes';
import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { costOf, costsInTurns, reportCosts } from '../measure/costs.js';
import { packOffline } from '../stack/reference-requests.js';
import type { BareCompilation } from './bare-solc.child.js';

const ROUNDS = 3;
const script = fileURLToPath(new URL('./bare-solc.child.js', import.meta.url));
/** One run of solc from the start of its process to its answer. */
async function bareRun(job: BareCompilation): Promise<void> {
  const child = spawnGuarded(process.execPath, [script], { stdio: ['ignore', 2, 2, 'ipc'] });
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare compiler ended')));
    child.send(job);
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ contracts?: { contracts?: object } }];
    ended.catch(() => undefined);
    if (answer.contracts?.contracts === undefined) throw new Error('the bare compiler gave no contract');
  } finally {
    await stopChild(child);
  }
}

/** A module's build, two compilations that share nothing, beside two bare runs of the same solc over the same input. */
export async function measureModuleBuild(world: BenchWorld): Promise<readonly Measurement[]> {
  const { compilerVerification } = (await packOffline()).request;
  const [unit] = compilerVerification.compilationUnits;
  if (unit === undefined) throw new Error('the reference has no compilation unit');
  const targets: readonly CompileTarget[] = compilerVerification.components.map(({ target }) => target);
  const { compilerVersion: version } = unit;
  const standardJsonInput = Buffer.from(unit.standardJsonInputBase64, 'base64');
  const input = JSON.parse(standardJsonInput.toString('utf8')) as { settings: object };
  const outputSelection: Record<string, Record<string, readonly string[]>> = {};
  for (const { path, contract } of targets) (outputSelection[path] ??= {})[contract] = BUILD_OUTPUTS;
  const job: BareCompilation = {
    solcPackage: `solc-${version}`,
    input: JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } }),
  };
  const built = async (): Promise<void> => {
    const compiler = createCompiler({ versions: [version], concurrency: 1 });
    try {
      const { verdict } = await compiler.build({ version, standardJsonInput, targets });
      if (verdict !== 'built') throw new Error('the reference does not build');
    } finally {
      await compiler.close();
    }
  };
  world.say(`${targets.length} contracts of ${standardJsonInput.length} bytes of input, ${ROUNDS} rounds`);
  const twice = (run: () => Promise<void>) => () =>
    costOf(async () => {
      for (let index = 0; index < 2; index += 1) await run();
    });
  const costs = await costsInTurns(ROUNDS, { ours: twice(built), peer: twice(() => bareRun(job)) });
  return reportCosts(
    'modules.build',
    'two bare runs of the same solc over the same input, each in a process of its own',
    costs,
  );
}
