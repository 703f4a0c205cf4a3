import { admitWorkflowId, observeWorkflowId } from '@launch/contracts/orchestration';
import { connectTemporal } from '@launch/temporal';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alone } from '../measure/sampling.js';
import { startBenchStack, type BenchStack } from '../stack/bench-stack.js';
import { countStatements, readCosts, type Reading } from './capacity-meter.js';
import { authorizedLaunches, sendUntilFinalized } from './finalized-launches.js';

const LAUNCHES = 20;
const WARM_UP = 4;
const IDLE_MS = 20_000;
/** Long enough that each launch is observed repeatedly. */
const FINALITY_SECONDS = 30;
const MEBIBYTE = 1_024 * 1_024;

/** The readings around the two halves of a launch's life: until the hand-off, and until it is final. */
interface Readings {
  readonly idle: readonly [Reading, Reading];
  readonly admitted: readonly [Reading, Reading];
  readonly finalized: readonly [Reading, Reading];
  readonly launchIds: readonly string[];
}

const lasting = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function runLaunches(stack: BenchStack): Promise<Readings> {
  await sendUntilFinalized(stack, await authorizedLaunches(stack, WARM_UP));
  const rested = await readCosts(stack);
  await lasting(IDLE_MS);
  const before = await readCosts(stack);
  const launchIds = await authorizedLaunches(stack, LAUNCHES);
  const authorized = await readCosts(stack);
  const from = await readCosts(stack);
  await sendUntilFinalized(stack, launchIds);
  const end = await readCosts(stack);
  return { idle: [rested, before], admitted: [before, authorized], finalized: [from, end], launchIds };
}

/**
 * Everything that a launch costs beyond an idle deployment, whose cost a second is a row of its own; memory; stored bytes.
 */
function costRows({ idle, admitted, finalized }: Readings): Measurement[] {
  const rows: Measurement[] = [];
  const about = { better: 'lower', summary: 'median' } as const;
  const row = (name: string, unit: string, value: number): void =>
    void rows.push(alone({ ...about, name: `capacity.${name}`, unit }, [Math.max(0, value)]));
  /** Three rows of a quantity that grows. */
  const growth = (named: (row: string) => string, unit: string, of: (reading: Reading) => number): void => {
    const used = ([from, to]: readonly [Reading, Reading]): number => of(to) - of(from);
    const lasted = ([from, to]: readonly [Reading, Reading]): number => (to.atMs - from.atMs) / 1_000;
    const each = used(idle) / lasted(idle);
    row(named('idle'), `${unit}/s`, each);
    row(named('admission'), unit, (used(admitted) - each * lasted(admitted)) / LAUNCHES);
    row(named('finality'), unit, (used(finalized) - each * lasted(finalized)) / LAUNCHES);
  };
  const end = finalized[1];
  for (const [component, { memoryBytes }] of end.processes) {
    growth(
      (name) => `${component}.${name}`,
      'ms',
      ({ processes }) => processes.get(component)?.processorMs ?? 0,
    );
    row(`${component}.memory`, 'MiB', memoryBytes / MEBIBYTE);
  }
  for (const role of end.statements.keys())
    growth(
      (name) => `${role}.${name}.statements`,
      'count',
      ({ statements }) => statements.get(role) ?? 0,
    );
  for (const service of end.observerRequests.keys())
    growth(
      (name) => `${service}.${name}.observer-requests`,
      'count',
      ({ observerRequests }) => observerRequests.get(service) ?? 0,
    );
  for (const [store, bytes] of end.bytes)
    row(`${store}.stored`, 'bytes', (bytes - (admitted[0].bytes.get(store) ?? 0)) / LAUNCHES);
  row('observations', 'count', (end.observations - admitted[0].observations) / LAUNCHES);
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
    await countStatements(stack);
    const readings = await runLaunches(stack);
    return [...costRows(readings), ...(await historyRows(stack, readings.launchIds))];
  } finally {
    await stack.stop();
  }
}

export const capacityBenches: readonly Bench[] = [{ name: 'capacity', needsStack: false, run: measureCosts }];
