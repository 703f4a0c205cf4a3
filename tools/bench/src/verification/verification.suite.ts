import { createCompiler, PINNED_COMPILER_VERSIONS, type Compiler } from '@launch/compiler';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { costOf, costsInTurns, processorCosts, reportCosts, type Cost } from '../measure/costs.js';
import { compared } from '../measure/sampling.js';
import { packInventoryOffline } from '../stack/inventory-request.js';
import { packOffline } from '../stack/reference-requests.js';
import type { SourcifyJob } from './sourcify.child.js';
import { startSourcify, type SourcifyProcess } from './sourcify.process.js';
import { verifyRequest } from './verify-request.js';

const COLD_ROUNDS = 2;
const WARM_ROUNDS = 3;
/** Verifications of one sample, one lane's or both lanes' together. */
const PARALLEL_RUNS = 4;
const PEER = '@ethereum-sourcify/lib-sourcify 3.4.0, same inputs and same solc';

/** The long version lib-sourcify wants; of the package it makes no difference, both sides run the same file. */
const longVersion = (version: string): string => `${version}+commit.8a97fa7a`;

/** The same question for lib-sourcify: what a chain would hold is what the request declares. */
function jobOf(request: CreateRequest): SourcifyJob {
  const unit = request.compilerVerification.compilationUnits[0];
  if (unit === undefined) throw new Error('the reference has no compilation unit');
  const standardJsonInput = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as Record<
    string,
    unknown
  >;
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

const newCompiler = (concurrency?: number): Compiler =>
  createCompiler({ versions: PINNED_COMPILER_VERSIONS, concurrency });

async function ours(request: CreateRequest, compiler: Compiler): Promise<void> {
  const { verdict } = await verifyRequest(request, compiler);
  if (verdict !== 'pass') throw new Error('the reference does not verify');
}

async function theirs(job: SourcifyJob, sourcify: SourcifyProcess): Promise<void> {
  for (const verdict of await sourcify.verify(job)) {
    if (verdict.runtime === null || verdict.creation === null)
      throw new Error(`lib-sourcify does not verify the reference: ${JSON.stringify(verdict)}`);
  }
}

/** The cost from nothing to a verdict; putting it away is not counted. */
async function once<T extends { close(): Promise<void> }>(
  start: () => T,
  work: (started: T) => Promise<void>,
): Promise<Cost> {
  let started: T | undefined;
  try {
    return await costOf(() => work((started = start())));
  } finally {
    await started?.close();
  }
}

/** Compile and match from no process at all; then nothing of it is warm. */
async function measureCold(world: BenchWorld): Promise<readonly Measurement[]> {
  const { request } = await packOffline();
  const job = jobOf(request);
  world.say('compile and match of the reference, cold');
  return reportCosts(
    'verification.cold',
    PEER,
    await costsInTurns(COLD_ROUNDS, {
      ours: () =>
        once(
          () => newCompiler(),
          (compiler) => ours(request, compiler),
        ),
      peer: () => once(startSourcify, (sourcify) => theirs(job, sourcify)),
    }),
  );
}

/** The same with everything loaded. Nothing is remembered on either side. */
async function measureWarm(world: BenchWorld, kind: string, request: CreateRequest): Promise<readonly Measurement[]> {
  const job = jobOf(request);
  world.say(`compile and match of the ${kind === 'warm' ? 'reference' : 'inventory project'}, warm`);
  const compiler = newCompiler();
  const sourcify = startSourcify();
  try {
    for (let run = 0; run < 2; run += 1) await Promise.all([ours(request, compiler), theirs(job, sourcify)]);
    return reportCosts(
      `verification.${kind}`,
      PEER,
      await costsInTurns(WARM_ROUNDS, {
        ours: () => costOf(() => ours(request, compiler)),
        peer: () => costOf(() => theirs(job, sourcify)),
      }),
    );
  } finally {
    await Promise.allSettled([compiler.close(), sourcify.close()]);
  }
}

/** Verifications of the same version, as many at a time as `lanes`: what one of them took of the clock and of processors. */
async function costOfEach(lanes: number, request: CreateRequest, compiler: Compiler): Promise<Cost> {
  const lane = async (): Promise<void> => {
    for (let run = 0; run < PARALLEL_RUNS / lanes; run += 1) await ours(request, compiler);
  };
  const { wallMs, processorMs } = await costOf(async () => {
    await Promise.all(Array.from({ length: lanes }, lane));
  });
  return {
    wallMs: wallMs / PARALLEL_RUNS,
    processorMs: processorMs === undefined ? undefined : processorMs / PARALLEL_RUNS,
  };
}

/** Two at a time against one at a time, in warm processes of one version. */
async function measureParallel(world: BenchWorld): Promise<readonly Measurement[]> {
  const { request } = await packOffline();
  world.say('compile and match of the reference, two at a time');
  const compiler = newCompiler(2);
  try {
    for (let run = 0; run < 2; run += 1) await costOfEach(2, request, compiler);
    const costs = await costsInTurns(WARM_ROUNDS, {
      ours: () => costOfEach(2, request, compiler),
      peer: () => costOfEach(1, request, compiler),
    });
    const rate = (some: readonly Cost[]): number[] => some.map(({ wallMs }) => 1_000 / wallMs);
    const peerName = 'the same, one at a time';
    return [
      compared(
        {
          name: 'verification.parallel',
          unit: 'verifications/s',
          better: 'higher',
          summary: 'best',
          peerName,
        },
        { ours: rate(costs.ours), peer: rate(costs.peer) },
      ),
      ...processorCosts('verification.parallel', peerName, costs),
    ];
  } finally {
    await compiler.close();
  }
}

const benchOf = (name: string, run: Bench['run']): Bench => ({ name: `verification.${name}`, needsStack: false, run });

export const verificationBenches: readonly Bench[] = [
  benchOf('cold', measureCold),
  benchOf('warm', async (world) => measureWarm(world, 'warm', (await packOffline()).request)),
  benchOf('inventory', async (world) => measureWarm(world, 'inventory', await packInventoryOffline())),
  benchOf('parallel', measureParallel),
];
