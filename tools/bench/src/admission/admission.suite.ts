import path from 'node:path';
import { createObserverPair, parseObserverUrls } from '@launch/chain';
import { createCompiler, PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { WalletHandoff } from '@launch/contracts/multi-role';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { connectTemporal } from '@launch/temporal';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alone, compared, timed, type PairedSamples } from '../measure/sampling.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { packFresh } from '../stack/reference-requests.js';
import { measureScale } from './admission-scale.js';
import { admitted } from './admitted.js';
import type { WorkflowTimes } from './activity-times.js';
import { bareAdmission } from './bare-admission.js';
import { measureUnsent } from './unsent-launches.js';

const LAUNCHES = 20;
const TIME_LIMIT_MS = 30_000;

/** The step of an admission that each activity is. The compilation is answered from its cache here. */
const STEPS: Readonly<Record<string, string>> = {
  compileRequest: 'compile',
  judgeRequest: 'judge',
  rehearseLaunch: 'rehearse',
  signPermit: 'custody',
  simulateHandoff: 'simulate',
  recordAdmitting: 'record-admitting',
  recordAssessment: 'record-assessment',
  recordHandoff: 'record-handoff',
};

/** Ids and URLs of the two observers as the context commits to them. */
function observers(stack: BenchStack): string {
  const urls = stack.running.stack.rpc['4663'];
  const { l2Observers } = stack.context.providerProfile;
  return urls.map((url, index) => `${l2Observers[index]?.id ?? `observer-${index}`}=${url}`).join(',');
}

/**
 * From a workflow's start to its hand-off over launches one after the other, the compiler's answer remembered. The bare
 * loop over the same request follows each, so that both meet the same machine.
 */
async function measureAdmission(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { address, namespace } = stack.running.stack.temporal;
  const temporal = await connectTemporal({ address, namespace });
  const compiler = createCompiler({
    versions: PINNED_COMPILER_VERSIONS,
    cacheDir: path.join(stack.dir, 'bench-compiler-cache'),
  });
  const l2 = createObserverPair(parseObserverUrls('RPC_4663_URLS', observers(stack)), CHAIN_ID);
  const launch = async (): Promise<{ times: WorkflowTimes; bareMs: number }> => {
    const { bytes } = await packFresh(stack.context, stack.controller);
    const launchId = await stack.gateway.create(bytes);
    const times = await admitted(temporal, launchId);
    const { wallet } = await stack.gateway.launch(launchId);
    if (wallet === null) throw new Error('an authorized launch without a hand-off');
    const handoff: WalletHandoff = wallet;
    const { milliseconds } = await timed(() => bareAdmission({ bytes, handoff, compiler, l2 }));
    return { times, bareMs: milliseconds };
  };
  try {
    world.say(`one launch to fill the compiler caches, then up to ${LAUNCHES} measured`);
    await launch();
    const launches: WorkflowTimes[] = [];
    const samples: PairedSamples = { ours: [], peer: [] };
    const until = Date.now() + TIME_LIMIT_MS;
    while (launches.length < LAUNCHES && Date.now() < until) {
      const { times, bareMs } = await launch();
      launches.push(times);
      samples.ours.push(times.total);
      samples.peer.push(bareMs);
    }
    return report(launches, samples);
  } finally {
    await Promise.allSettled([compiler.close(), temporal.close()]);
  }
}

function report(launches: readonly WorkflowTimes[], samples: PairedSamples): Measurement[] {
  const about = { unit: 'ms', better: 'lower', summary: 'median' } as const;
  const peerName = 'the same checks and chain calls in a bare loop, without Temporal';
  const steps = Object.entries(STEPS).flatMap(([activity, step]) => {
    const times = launches.flatMap((launch) => launch.activities.get(activity) ?? []);
    return times.length === 0 ? [] : [alone({ ...about, name: `admission.step.${step}` }, times)];
  });
  return [
    compared({ ...about, name: 'admission.p50', peerName }, samples),
    compared({ ...about, name: 'admission.p95', summary: 'p95', peerName }, samples),
    ...steps,
    alone(
      { ...about, name: 'admission.step.between' },
      launches.map((launch) => launch.between),
    ),
  ];
}

export const admissionBenches: readonly Bench[] = [
  { name: 'admission', needsStack: true, run: measureAdmission },
  { name: 'admission.unsent', needsStack: true, run: measureUnsent },
  { name: 'admission.scale', needsStack: true, run: measureScale },
];
