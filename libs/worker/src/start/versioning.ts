/**
 * The mode in which a worker that hosts workflows takes part in Worker Versioning.
 * - `off`: tasks go to any polling worker.
 * - `auto-upgrade`: open workflows move to the current version; changes to workflow code go behind `patched`. Suits
 * workflows that live for days, and every deployment that replaces its only worker.
 * - `pinned`: a workflow stays with the version that began it. Suits short workflows with old workers that are kept
 * until they are drained.
 *
 * A worker never makes its own version current: an old worker that restarts during a rollout would take the work back.
 * An operator or the release itself promotes a version once its workers are up (`promoteVersion` of
 * `@launch/temporal`).
 */
export type VersioningMode = 'off' | 'auto-upgrade' | 'pinned';

export interface Versioning {
  mode: VersioningMode;
  /** Name of the deployment to which the versions belong: the service. */
  deployment: string;
}

export const BEHAVIOURS = { 'auto-upgrade': 'AUTO_UPGRADE', pinned: 'PINNED' } as const;
