import {
  awaitVersion,
  connectTemporal,
  promoteVersion,
  readWorkerDeployment,
  temporalTarget,
  type Promotion,
  type TemporalClient,
  type WorkerVersion,
} from '@launch/temporal';
import { WorkersError } from './admin.errors.js';
import type { Outcome } from './admin.run.js';
import { RELEASED_WORKERS } from './released-workers.js';
import type { WorkerCommand } from './worker.command.js';

type Client = TemporalClient['client'];
type ListCommand = WorkerCommand & { readonly name: 'list-workers' };
type PromoteCommand = WorkerCommand & { readonly name: 'promote-workers' };

/** Runs a command on the server of a configuration. @throws WorkersError that names the failed steps. */
export async function runWorkerCommandOn(
  config: Parameters<typeof temporalTarget>[0],
  command: WorkerCommand,
): Promise<Outcome> {
  const target = temporalTarget(config);
  const temporal = await connectTemporal(target).catch((error: unknown) => {
    throw new WorkersError(`Temporal at ${target.address} cannot be reached`, { cause: error });
  });
  try {
    return await runWorkerCommand(temporal.client, command);
  } finally {
    await temporal.close();
  }
}

/** Runs a command about worker versions. @throws WorkersError that names the failed steps. */
export async function runWorkerCommand(client: Client, command: WorkerCommand): Promise<Outcome> {
  const print = (value: object, lines: readonly string[]): Outcome => ({
    output: command.json ? `${JSON.stringify(value)}\n` : lines.join(''),
    found: true,
  });
  if (command.name === 'list-workers') {
    const deployments = await shownDeployments(client, command);
    const lines = deployments.flatMap(({ deployment, release, current, versions }) => [
      `${deployment}  current: ${current ?? 'none'}  this release: ${release}\n`,
      ...versions.map(({ buildId, status }) => `  ${buildId}  ${status}\n`),
    ]);
    return print({ deployments }, lines);
  }
  const promotions = (await promote(client, command)).map((one) => ({ ...one, rollback: rollbackOf(one) }));
  return print({ promotions }, promotions.map(lineOf));
}

const shownDeployments = (client: Client, { deployments }: ListCommand) =>
  Promise.all(
    deployments.map(async (deployment) => ({
      deployment,
      release: await RELEASED_WORKERS[deployment].buildId(),
      ...((await answered(readWorkerDeployment(client, deployment))) ?? { current: null, versions: [] }),
    })),
  );

/** Promotes versions, only after every version of the command can take over. */
async function promote(client: Client, command: PromoteCommand): Promise<readonly Promotion[]> {
  const until = Date.now() + command.waitSeconds * 1_000;
  const options = (taskQueue: string) => ({ taskQueue, withinMs: Math.max(until - Date.now(), 0) });
  const wanted = await Promise.all(
    command.deployments.map(async (deployment) => {
      const { taskQueue, buildId } = RELEASED_WORKERS[deployment];
      const version: WorkerVersion = { deployment, buildId: command.buildId ?? (await buildId()) };
      return { version, taskQueue };
    }),
  );
  const waited = await Promise.allSettled(
    wanted.map(({ version, taskQueue }) => awaitVersion(client, version, options(taskQueue))),
  );
  const obstacles = waited.flatMap((one) => (one.status === 'rejected' ? [`  ${textOf(one.reason)}`] : []));
  if (obstacles.length > 0) throw new WorkersError(['nothing was promoted:', ...obstacles].join('\n'));
  const done: Promotion[] = [];
  for (const { version, taskQueue } of wanted) {
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
