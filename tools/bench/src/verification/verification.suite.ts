import { createCompiler, PINNED_COMPILER_VERSIONS, type Compiler } from '@launch/compiler';
import type { CreateRequest } from '@launch/contracts';
import type { Bench, BenchWorld } from '../bench.types.js';
import { alternate, compared, timed } from '../measure/sampling.js';
import { packOffline } from '../stack/reference-requests.js';
import type { SourcifyJob } from './sourcify.child.js';
import { startSourcify, type SourcifyProcess } from './sourcify.process.js';
import { verifyRequest } from './verify-request.js';

const COLD_ROUNDS = 2;
const WARM_ROUNDS = 3;
const PEER = '@ethereum-sourcify/lib-sourcify 3.4.0, same inputs and same solc';

/** The long version lib-sourcify wants; of the package it makes no difference, both sides run the same file. */
const longVersion = (version: string): string => `${version}+commit.8a97fa7a`;

/** The same question for lib-sourcify: what a chain would hold is what the request declares. */
function jobOf(request: CreateRequest): SourcifyJob {
  const unit = request.compilerVerification.compilationUnits[0];
  if (unit === undefined) throw new Error('the reference has no compilation unit');
  const standardJsonInput = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as Record<string, unknown>;
  const cases = request.compilerVerification.components.map(({ componentId, target }) => {
    const component = request.graphBundle.components.find((one) => one.componentId === componentId);
    if (component === undefined) throw new Error('the reference names a component it does not have');
    return {
      compilerVersion: longVersion(unit.compilerVersion),
      standardJsonInput,
      target: { path: target.path, name: target.contract },
      creation: `${component.creationBytecode}${component.constructorArgs.slice(2)}`,
      runtime: component.expectedRuntimeCode,
    };
  });
  return { solcPackage: `solc-${unit.compilerVersion}`, cases };
}

const newCompiler = (): Compiler => createCompiler({ versions: PINNED_COMPILER_VERSIONS });

async function ours(request: CreateRequest, compiler: Compiler): Promise<void> {
  const { verdict } = await verifyRequest(request, compiler);
  if (verdict !== 'pass') throw new Error('the reference does not verify');
}

async function theirs(job: SourcifyJob, sourcify: SourcifyProcess): Promise<void> {
  for (const verdict of await sourcify.verify(job)) {
    if (verdict.runtime === null || verdict.creation === null) throw new Error(`lib-sourcify does not verify the reference: ${JSON.stringify(verdict)}`);
  }
}

/** Process start, compiler load, compile and match; then the same with everything loaded. Nothing is remembered on either side. */
async function measureVerification(world: BenchWorld, kind: 'cold' | 'warm'): Promise<ReturnType<typeof compared>[]> {
  const { request } = await packOffline();
  const job = jobOf(request);
  const about = { name: `verification.${kind}`, unit: 'ms', better: 'lower', summary: 'best', peerName: PEER } as const;
  world.say(`compile and match of the reference, ${kind}`);
  if (kind === 'cold') {
    const samples = await alternate(COLD_ROUNDS, {
      ours: () => once(newCompiler, (compiler) => ours(request, compiler)),
      peer: () => once(startSourcify, (sourcify) => theirs(job, sourcify)),
    });
    return [compared(about, samples)];
  }
  const compiler = newCompiler();
  const sourcify = startSourcify();
  try {
    // Twice, because the engine compiles solc's hot code while it runs for the first time.
    for (let run = 0; run < 2; run += 1) await Promise.all([ours(request, compiler), theirs(job, sourcify)]);
    const samples = await alternate(WARM_ROUNDS, {
      ours: async () => (await timed(() => ours(request, compiler))).milliseconds,
      peer: async () => (await timed(() => theirs(job, sourcify))).milliseconds,
    });
    return [compared(about, samples)];
  } finally {
    await Promise.allSettled([compiler.close(), sourcify.close()]);
  }
}

/** Milliseconds from nothing to a verdict; putting it away is not counted. */
async function once<T extends { close(): Promise<void> }>(start: () => T, work: (started: T) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const started = start();
  try {
    await work(started);
    return performance.now() - startedAt;
  } finally {
    await started.close();
  }
}

export const verificationBenches: readonly Bench[] = (['cold', 'warm'] as const).map((kind) => ({
  name: `verification.${kind}`,
  run: (world: BenchWorld) => measureVerification(world, kind),
}));
