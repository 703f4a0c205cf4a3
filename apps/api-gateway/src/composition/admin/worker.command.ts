import { UsageError } from './admin.errors.js';

/** The deployments of the `workers` command, in output order. */
export const WORKER_DEPLOYMENTS = ['admission-worker', 'finality-worker', 'module-review', 'indexer'] as const;
export type WorkerDeploymentName = (typeof WORKER_DEPLOYMENTS)[number];

/** A command about the versions of workers. */
export type WorkerCommand =
  | { readonly name: 'list-workers'; readonly deployments: readonly WorkerDeploymentName[]; readonly json: boolean }
  | {
      readonly name: 'promote-workers';
      readonly deployments: readonly WorkerDeploymentName[];
      /** Null selects the version of this release for each deployment. */
      readonly buildId: string | null;
      readonly waitSeconds: number;
      readonly json: boolean;
    };

interface WorkerOptions {
  readonly deployment?: readonly string[] | undefined;
  readonly 'build-id'?: string | undefined;
  readonly wait?: string | undefined;
  readonly json?: boolean | undefined;
}

const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 3_600;

/** Reads `workers list` and `workers promote`. @throws UsageError that describes the fault. */
export function readWorkerCommand(
  verb: string | undefined,
  words: readonly string[],
  values: WorkerOptions,
): WorkerCommand {
  const { deployment: named, 'build-id': buildId, wait, json = false, ...others } = values;
  if (Object.keys(others).length > 0 || words.length > 0)
    throw new UsageError('workers takes --deployment, --build-id, --wait and --json alone');
  const deployments = deploymentsOf(named);
  if (verb === 'list') {
    if (buildId !== undefined || wait !== undefined)
      throw new UsageError('--build-id and --wait belong to workers promote');
    return { name: 'list-workers', deployments, json };
  }
  if (verb !== 'promote') throw new UsageError('the command is workers list or workers promote');
  if (buildId !== undefined && !/^[0-9a-f]{16}$/.test(buildId))
    throw new UsageError('--build-id is 16 hex digits, as workers list shows them');
  if (buildId !== undefined && deployments.length !== 1)
    throw new UsageError('--build-id needs the one --deployment that it is a version of');
  return { name: 'promote-workers', deployments, buildId: buildId ?? null, waitSeconds: waitOf(wait), json };
}

function deploymentsOf(named: readonly string[] | undefined): readonly WorkerDeploymentName[] {
  if (named === undefined) return WORKER_DEPLOYMENTS;
  const deployments = WORKER_DEPLOYMENTS.filter((name) => named.includes(name));
  if (deployments.length !== new Set(named).size)
    throw new UsageError(`--deployment is one of ${WORKER_DEPLOYMENTS.join(', ')}; it may be given several times`);
  return deployments;
}

function waitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_WAIT_SECONDS;
  if (!/^(0|[1-9][0-9]{0,3})$/.test(text) || Number(text) > MAX_WAIT_SECONDS)
    throw new UsageError(`--wait is 0 to ${MAX_WAIT_SECONDS} seconds`);
  return Number(text);
}
