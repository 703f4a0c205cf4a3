/** The kinds of resources that the relay carries; the rows of each kind hold the due times. */
export type RelayedName = 'launch' | 'module-submission';

/** A resource by kind and id. */
export interface ResourceName {
  readonly kind: RelayedName;
  readonly id: string;
}

/** An unfinished resource and the way to start its workflow. */
export interface Carried {
  readonly id: string;
  /** Starts the workflow that the resource needs now; starting twice has no effect. Rejects while Temporal is unreachable. */
  carry(): Promise<void>;
}

/** One kind of resource that the relay carries. Its rows hold their due times, so reserving one writes nothing more. */
export interface RelayedKind {
  readonly kind: RelayedName;
  /** Takes up to `limit` due resources and postpones each, so that no other gateway takes it soon. */
  takeDue(limit: number): Promise<readonly Carried[]>;
  /** Finds a resource; null when it is finished or absent. */
  find(id: string): Promise<Carried | null>;
  /** Makes a resource due again soon, because carrying it failed. */
  retrySoon(id: string): Promise<void>;
}
