/** What the relay carries, by the rows that say when each is due. */
export type RelayedName = 'launch' | 'module-submission';

/** A resource by kind and id. */
export interface ResourceName {
  readonly kind: RelayedName;
  readonly id: string;
}

/** A resource that is not finished, and how it gets the workflow that moves it. */
export interface Carried {
  readonly id: string;
  /** Starts the workflow that the resource needs now; starting twice does nothing. Rejects while Temporal cannot be reached. */
  carry(): Promise<void>;
}

/** One kind of resource that the relay carries. Its rows say when each is due, so reserving one writes nothing more. */
export interface RelayedKind {
  readonly kind: RelayedName;
  /** Takes up to `limit` whose time has come and puts each off, so that nobody else takes it soon. */
  takeDue(limit: number): Promise<readonly Carried[]>;
  /** Null when it is finished, or there is none. */
  find(id: string): Promise<Carried | null>;
  /** Lets the relay look again soon, because carrying failed. */
  retrySoon(id: string): Promise<void>;
}
