/**
 * How a worker that hosts workflows takes part in Worker Versioning.
 * - `off`: tasks go to whoever polls.
 * - `auto-upgrade`: open workflows move to the current version; changes to workflow code go behind `patched`. Fits
 *   workflows that live for days, and every deployment that replaces its only worker.
 * - `pinned`: a workflow stays with the version that began it. Fits short workflows where old workers are kept until they are drained.
 *
 * A worker never makes its own version current: an old worker that restarts during a rollout would take the work back.
 * An operator, or the release itself, promotes a version once its workers are up (`promoteVersion` of `@launch/temporal`).
 */
export type VersioningMode = 'off' | 'auto-upgrade' | 'pinned';

export interface Versioning {
  mode: VersioningMode;
  /** Name of the deployment the versions belong to: the service. */
  deployment: string;
}

export const BEHAVIOURS = { 'auto-upgrade': 'AUTO_UPGRADE', pinned: 'PINNED' } as const;
