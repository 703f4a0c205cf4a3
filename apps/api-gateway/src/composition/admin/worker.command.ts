import type { ParsedLists, ParsedOptions } from '@launch/client-core/command';
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
      /** Time for the replay of recent histories by each version; null promotes without it. */
      readonly replaySeconds: number | null;
      readonly json: boolean;
    };

export const DEFAULT_WAIT_SECONDS = 60;
export const DEFAULT_REPLAY_SECONDS = 300;
export const MIN_REPLAY_SECONDS = 10;
export const MAX_WAIT_SECONDS = 3_600;

/** Reads `workers promote`. @throws UsageError that describes the fault. */
export function readPromotion(
  {
    'build-id': buildId,
    wait = String(DEFAULT_WAIT_SECONDS),
    'replay-within': replayWithin = String(DEFAULT_REPLAY_SECONDS),
    'skip-replay': skipReplay,
  }: ParsedOptions,
  lists: ParsedLists,
  json: boolean,
): WorkerCommand {
  const deployments = deploymentsOf(lists);
  if (buildId !== undefined && !/^[0-9a-f]{16}$/.test(buildId))
    throw new UsageError('--build-id is 16 hex digits, as workers list shows them');
  if (buildId !== undefined && deployments.length !== 1)
    throw new UsageError('--build-id needs the one --deployment that it is a version of');
  return {
    name: 'promote-workers',
    deployments,
    buildId: buildId ?? null,
    waitSeconds: Number(wait),
    replaySeconds: skipReplay === undefined ? Number(replayWithin) : null,
    json,
  };
}

/** Returns the deployments that `--deployment` names, or all. */
export const deploymentsOf = ({ deployment: named }: ParsedLists): readonly WorkerDeploymentName[] =>
  named === undefined ? WORKER_DEPLOYMENTS : WORKER_DEPLOYMENTS.filter((name) => named.includes(name));
