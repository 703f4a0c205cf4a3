import type { DeployedLaunches, Ending } from '../deployed/deployed-launches.js';

/** A fault of a deployment that has an end. */
export interface Disturbance {
  readonly name: string;
  /** Begins once a launch was sent; otherwise while it is admitted. */
  readonly afterSending: boolean;
  begin(): Promise<void>;
  /** Resolves when the deployment is whole again. */
  end(): Promise<void>;
}

/** The ends of the launches around one disturbance. */
export interface Disturbed {
  readonly readyAfterMs: number;
  readonly endings: readonly Ending[];
}

/** Disturbs a deployment between two launches, and takes both to their ends. */
export async function disturbLaunches(
  launches: DeployedLaunches,
  { afterSending, begin, end }: Disturbance,
): Promise<Disturbed> {
  const first = await launches.create(await launches.prepare());
  if (afterSending) await launches.send(first);
  const begun = Date.now();
  await begin();
  // The second launch begins while the part is away.
  const second = launches.prepare().then((request) => launches.create(request));
  // It may fail before the part is back; the failure is thrown below.
  second.catch(() => undefined);
  await end();
  const readyAfterMs = Date.now() - begun;
  const endings = await Promise.all([
    afterSending ? launches.ended(first) : launches.finish(first),
    second.then((launchId) => launches.finish(launchId)),
  ]);
  return { readyAfterMs, endings };
}
