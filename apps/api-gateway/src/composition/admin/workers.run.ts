import {
  awaitVersion,
  connectTemporal,
  modulesTarget,
  promoteVersion,
  readWorkerDeployment,
  temporalTarget,
  type ModulesVariables,
  type Promotion,
  type TemporalClient,
  type TemporalTarget,
  type WorkerVersion,
} from '@launch/temporal';
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

/** Promotes versions, only after every version of the command can take over. */
async function promote(clients: Clients, command: PromoteCommand): Promise<readonly Promotion[]> {
  const until = Date.now() + command.waitSeconds * 1_000;
  const options = (taskQueue: string) => ({ taskQueue, withinMs: Math.max(until - Date.now(), 0) });
  const wanted = await Promise.all(
    command.deployments.map(async (deployment) => {
      const { family, taskQueue, buildId } = RELEASED_WORKERS[deployment];
      const version: WorkerVersion = { deployment, buildId: command.buildId ?? (await buildId()) };
      return { version, client: clients[family], taskQueue };
    }),
  );
  const waited = await Promise.allSettled(
    wanted.map(({ version, client, taskQueue }) => awaitVersion(client, version, options(taskQueue))),
  );
  const obstacles = waited.flatMap((one) => (one.status === 'rejected' ? [`  ${textOf(one.reason)}`] : []));
  if (obstacles.length > 0) throw new WorkersError(['nothing was promoted:', ...obstacles].join('\n'));
  const done: Promotion[] = [];
  for (const { version, client, taskQueue } of wanted) {
    try {
      done.push(await promoteVersion(client, version, options(taskQueue)));
    } catch (error) {
      const before = done.map((one) => lineOf({ ...one, rollback: rollbackOf(one) }));
      throw new WorkersError(`${textOf(error)}\n${before.join('')}`.trimEnd(), { cause: error });
    }
  }
  return done;
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

function lineOf(promotion: Promotion & { readonly rollback: string | null }): string {
  const { deployment, buildId, previous, changed, rollback } = promotion;
  if (!changed) return `${deployment}  ${buildId}  was current before\n`;
  const back = rollback === null ? '' : `  back: ${rollback}\n`;
  return `${deployment}  ${buildId}  promoted, before: ${previous ?? 'none'}\n${back}`;
}
