import {
  awaitVersion,
  connectTemporal,
  modulesTarget,
  passReplayGate,
  promoteVersion,
  readWorkerDeployment,
  temporalTarget,
  type ModulesVariables,
  type Promotion,
  type TemporalClient,
  type TemporalTarget,
  type WorkerVersion,
} from '@launch/temporal';
import type { ReplayReport } from '@launch/contracts/orchestration';
import { WorkersError } from './admin.errors.js';
import type { Outcome } from './admin.run.js';
import { RELEASED_WORKERS, type ReleasedFamily } from './released-workers.js';
import type { WorkerCommand } from './worker.command.js';

/** A client in the namespace of each family of work with workflows. */
type Clients = Readonly<Record<ReleasedFamily, TemporalClient['client']>>;
type ListCommand = WorkerCommand & { readonly name: 'list-workers' };
type PromoteCommand = WorkerCommand & { readonly name: 'promote-workers' };

/** Runs a command on the server of a configuration. @throws WorkersError that names the failed steps. */
export async function runWorkerCommandOn(config: ModulesVariables, command: WorkerCommand): Promise<Outcome> {
  const launches = await connected(temporalTarget(config));
  try {
    const modules = await connected(modulesTarget(config));
    try {
      return await runWorkerCommand({ launches: launches.client, modules: modules.client }, command);
    } finally {
      await modules.close();
    }
  } finally {
    await launches.close();
  }
}

const connected = (target: TemporalTarget): Promise<TemporalClient> =>
  connectTemporal(target).catch((error: unknown) => {
    throw new WorkersError(`Temporal at ${target.address} cannot be reached`, { cause: error });
  });

/** Runs a command about worker versions. @throws WorkersError that names the failed steps. */
export async function runWorkerCommand(clients: Clients, command: WorkerCommand): Promise<Outcome> {
  const print = (value: object, lines: readonly string[]): Outcome => ({
    output: command.json ? `${JSON.stringify(value)}\n` : lines.join(''),
    found: true,
  });
  if (command.name === 'list-workers') {
    const deployments = await shownDeployments(clients, command);
    const lines = deployments.flatMap(({ deployment, release, current, versions }) => [
      `${deployment}  current: ${current ?? 'none'}  this release: ${release}\n`,
      ...versions.map(({ buildId, status }) => `  ${buildId}  ${status}\n`),
    ]);
    return print({ deployments }, lines);
  }
  const promotions = (await promote(clients, command)).map((one) => ({ ...one, rollback: rollbackOf(one) }));
  return print({ promotions }, promotions.map(lineOf));
}

const shownDeployments = (clients: Clients, { deployments }: ListCommand) =>
  Promise.all(
    deployments.map(async (deployment) => {
      const { family, buildId } = RELEASED_WORKERS[deployment];
      return {
        deployment,
        release: await buildId(),
        ...((await answered(readWorkerDeployment(clients[family], deployment))) ?? { current: null, versions: [] }),
      };
    }),
  );

/** A version to promote, and its place. */
interface Wanted {
  readonly version: WorkerVersion;
  readonly client: TemporalClient['client'];
  readonly taskQueue: string;
}

/** A promotion with the replay that came before it; null if the version did not replay histories. */
interface ReplayedPromotion extends Promotion {
  readonly replay: ReplayReport | null;
}

/** Promotes versions, only after every version of the command can take over and has replayed recent histories. */
async function promote(clients: Clients, command: PromoteCommand): Promise<readonly ReplayedPromotion[]> {
  const until = Date.now() + command.waitSeconds * 1_000;
  const options = (taskQueue: string) => ({ taskQueue, withinMs: Math.max(until - Date.now(), 0) });
  const wanted = await Promise.all(
    command.deployments.map(async (deployment): Promise<Wanted> => {
      const { family, taskQueue, buildId } = RELEASED_WORKERS[deployment];
      const version: WorkerVersion = { deployment, buildId: command.buildId ?? (await buildId()) };
      return { version, client: clients[family], taskQueue };
    }),
  );
  await ofEvery(wanted, ({ version, client, taskQueue }) => awaitVersion(client, version, options(taskQueue)));
  const replays = await ofEvery(wanted, (one) => replayBefore(one, command.replaySeconds));
  const done: ReplayedPromotion[] = [];
  for (const [place, { version, client, taskQueue }] of wanted.entries()) {
    try {
      const promotion = await promoteVersion(client, version, options(taskQueue));
      done.push({ ...promotion, replay: replays[place] ?? null });
    } catch (error) {
      const before = done.map((one) => lineOf({ ...one, rollback: rollbackOf(one) }));
      throw new WorkersError(`${textOf(error)}\n${before.join('')}`.trimEnd(), { cause: error });
    }
  }
  return done;
}

/** Does a step for every version. @throws WorkersError that names each version whose step failed. */
async function ofEvery<T>(wanted: readonly Wanted[], step: (one: Wanted) => Promise<T>): Promise<readonly T[]> {
  const ended = await Promise.allSettled(wanted.map(step));
  const obstacles = ended.flatMap((one) => (one.status === 'rejected' ? [`  ${textOf(one.reason)}`] : []));
  if (obstacles.length > 0) throw new WorkersError(['nothing was promoted:', ...obstacles].join('\n'));
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The states of a version that was current before: a return to it is a rollback, which must not wait. */
const CURRENT_BEFORE: readonly string[] = ['current', 'draining', 'drained'];

async function replayBefore(
  { version, client, taskQueue }: Wanted,
  replaySeconds: number | null,
): Promise<ReplayReport | null> {
  if (replaySeconds === null) return null;
  const known = await readWorkerDeployment(client, version.deployment);
  const status = known?.versions.find(({ buildId }) => buildId === version.buildId)?.status ?? 'unknown';
  if (CURRENT_BEFORE.includes(status)) return null;
  return await passReplayGate(client, version, { taskQueue, withinMs: replaySeconds * 1_000 });
}

async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new WorkersError(`Temporal did not answer: ${textOf(error)}`, { cause: error });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the command that reverts a promotion; null when no version was current before, or none changed. */
const rollbackOf = ({ deployment, previous, changed }: Promotion): string | null =>
  changed && previous !== null
    ? `launch-admin workers promote --deployment ${deployment} --build-id ${previous}`
    : null;

function lineOf(promotion: ReplayedPromotion & { readonly rollback: string | null }): string {
  const { deployment, buildId, previous, changed, rollback, replay } = promotion;
  if (!changed) return `${deployment}  ${buildId}  was current before\n`;
  const back = rollback === null ? '' : `  back: ${rollback}\n`;
  const replayed = replay === null ? 'none' : `${replay.replayed}, ${replay.skipped} beyond the bounds`;
  return `${deployment}  ${buildId}  promoted, before: ${previous ?? 'none'}\n  histories replayed: ${replayed}\n${back}`;
}
