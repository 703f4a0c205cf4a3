import { admitWorkflowId, observeWorkflowId } from '@launch/contracts/orchestration';
import { connectTemporal } from '@launch/temporal';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alone } from '../measure/sampling.js';
import { startBenchStack, type BenchStack } from '../stack/bench-stack.js';
import { readCosts, type Reading } from './capacity-meter.js';
import { authorizedLaunches, sendUntilFinalized } from './finalized-launches.js';
import { startSpanCollector, type SpanCollector, type TracedCalls } from './span-collector.js';

const LAUNCHES = 20;
const WARM_UP = 4;
const IDLE_MS = 20_000;
/** Long enough that each launch is observed repeatedly. */
const FINALITY_SECONDS = 30;
/** Services send their spans every 5 seconds. */
const SPANS_MS = 7_000;
const MEBIBYTE = 1_024 * 1_024;

/** The readings around the two halves of a launch's life: until the hand-off, and until it is final. */
interface Readings {
  readonly idle: readonly [Reading, Reading];
  readonly admitted: readonly [Reading, Reading];
  readonly finalized: readonly [Reading, Reading];
  readonly launchIds: readonly string[];
}

const lasting = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function runLaunches(
  stack: BenchStack,
  afterHalf: (half: 'admitted' | 'finalized') => Promise<void>,
): Promise<Readings> {
  await sendUntilFinalized(stack, await authorizedLaunches(stack, WARM_UP));
  const rested = await readCosts(stack);
  await lasting(IDLE_MS);
  const before = await readCosts(stack);
  await afterHalf('finalized');
  const launchIds = await authorizedLaunches(stack, LAUNCHES);
  const authorized = await readCosts(stack);
  await afterHalf('admitted');
  const from = await readCosts(stack);
  await sendUntilFinalized(stack, launchIds);
  const end = await readCosts(stack);
  await afterHalf('finalized');
  return { idle: [rested, before], admitted: [before, authorized], finalized: [from, end], launchIds };
}

/** Processor time for each launch beyond that of an idle deployment, which is a row of its own; memory; stored bytes. */
function costRows({ idle, admitted, finalized }: Readings): Measurement[] {
  const rows: Measurement[] = [];
  const about = { better: 'lower', summary: 'median' } as const;
  const row = (name: string, unit: string, value: number): void =>
    void rows.push(alone({ ...about, name: `capacity.${name}`, unit }, [Math.max(0, value)]));
  for (const [component, { memoryBytes }] of finalized[1].processes) {
    const used = ([from, to]: readonly [Reading, Reading]): number =>
      (to.processes.get(component)?.processorMs ?? 0) - (from.processes.get(component)?.processorMs ?? 0);
    const lasted = ([from, to]: readonly [Reading, Reading]): number => to.atMs - from.atMs;
    const idleShare = used(idle) / lasted(idle);
    row(`${component}.idle`, 'ms/s', idleShare * 1_000);
    row(`${component}.admission`, 'ms', (used(admitted) - idleShare * lasted(admitted)) / LAUNCHES);
    row(`${component}.finality`, 'ms', (used(finalized) - idleShare * lasted(finalized)) / LAUNCHES);
    row(`${component}.memory`, 'MiB', memoryBytes / MEBIBYTE);
  }
  for (const [store, bytes] of finalized[1].bytes)
    row(`${store}.stored`, 'bytes', (bytes - (admitted[0].bytes.get(store) ?? 0)) / LAUNCHES);
  row('observations', 'count', (finalized[1].observations - admitted[0].observations) / LAUNCHES);
  return rows;
}

/** Events and bytes of the histories of each launch. A second run of an observation is not counted. */
async function historyRows(stack: BenchStack, launchIds: readonly string[]): Promise<Measurement[]> {
  const { address, namespace } = stack.running.stack.temporal;
  const temporal = await connectTemporal({ address, namespace });
  try {
    const sizes = await Promise.all(
      launchIds.map(async (launchId) => {
        const ids = [admitWorkflowId(launchId), observeWorkflowId(launchId)];
        const found = await Promise.all(ids.map((id) => temporal.client.workflow.getHandle(id).describe()));
        const total = (of: (one: (typeof found)[number]) => number | undefined): number =>
          found.reduce((sum, one) => sum + (of(one) ?? 0), 0);
        return { events: total((one) => one.historyLength), bytes: total((one) => one.historySize) };
      }),
    );
    const about = { better: 'lower', summary: 'median' } as const;
    return (['events', 'bytes'] as const).map((unit) =>
      alone(
        { ...about, name: `capacity.histories.${unit}`, unit },
        sizes.map((size) => size[unit]),
      ),
    );
  } finally {
    await temporal.close();
  }
}

async function measureCosts(world: BenchWorld): Promise<readonly Measurement[]> {
  world.say(`${LAUNCHES} launches from create to final, after ${WARM_UP} to warm up`);
  const stack = await startBenchStack(process.stderr, { finalitySeconds: FINALITY_SECONDS, twins: [] });
  try {
    const readings = await runLaunches(stack, async () => undefined);
    return [...costRows(readings), ...(await historyRows(stack, readings.launchIds))];
  } finally {
    await stack.stop();
  }
}

function callRows(half: 'admission' | 'finality', calls: ReadonlyMap<string, TracedCalls>): Measurement[] {
  const about = { better: 'lower', summary: 'median', unit: 'count' } as const;
  return [...calls].flatMap(([service, { statements, observerRequests }]) =>
    (
      [
        ['statements', statements],
        ['observer-requests', observerRequests],
      ] as const
    )
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => alone({ ...about, name: `capacity.${service}.${half}.${kind}` }, [count / LAUNCHES])),
  );
}

/** The same launches with traces on, which count SQL statements and requests to observers by service. */
async function measureCalls(world: BenchWorld): Promise<readonly Measurement[]> {
  const observerPorts = new Set<number>();
  const collector: SpanCollector = await startSpanCollector(observerPorts);
  try {
    const stack = await startBenchStack(process.stderr, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
      finalitySeconds: FINALITY_SECONDS,
      twins: [],
    });
    try {
      for (const url of Object.values(stack.running.stack.rpc).flat()) observerPorts.add(Number(new URL(url).port));
      world.say(`${LAUNCHES} traced launches`);
      const halves = new Map<string, ReadonlyMap<string, TracedCalls>>();
      await runLaunches(stack, async (half) => {
        await lasting(SPANS_MS);
        halves.set(half, collector.take());
      });
      return [
        ...callRows('admission', halves.get('admitted') ?? new Map()),
        ...callRows('finality', halves.get('finalized') ?? new Map()),
      ];
    } finally {
      await stack.stop();
    }
  } finally {
    await collector.close();
  }
}

export const capacityBenches: readonly Bench[] = [
  { name: 'capacity.costs', needsStack: false, run: measureCosts },
  { name: 'capacity.calls', needsStack: false, run: measureCalls },
];
