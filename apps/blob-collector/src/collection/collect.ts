import type { BlobCollection, ListedBlob } from '@launch/blob-store';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { failpoint } from '@launch/platform';
import { CollectorError } from '../collector.errors.js';
import { grouped, withReferences } from '../references/merge.js';

/** Databases that are open at one moment each. */
export interface References {
  references(): AsyncIterable<Sha256Digest>;
}

export interface CollectionOptions {
  /** A time before any of the references was read. */
  readonly startedAt: number;
  /** Content is set aside when it is older, and removed this long after that. */
  readonly graceMs: number;
  /** The most contents that one run sets aside, and as many that it removes or keeps again. */
  readonly limit: number;
  /** The largest share of the kept content that may be unreferenced, from 0 to 1. */
  readonly maxShare: number;
}

interface Task {
  readonly store: BlobCollection;
  readonly digest: Sha256Digest;
}

/** The result of reading: what a store has, and what is due. */
export interface CollectionPlan {
  readonly counts: Record<
    | 'kept'
    | 'referenced'
    | 'young'
    | 'unreferenced'
    | 'unreferencedBytes'
    | 'aside'
    | 'waiting'
    | 'due'
    | 'dueBytes'
    | 'needed',
    number
  >;
  readonly setAside: readonly Task[];
  readonly remove: readonly Task[];
  readonly restore: readonly Task[];
}

export interface CollectionResult {
  readonly setAside: number;
  readonly removed: number;
  readonly restored: number;
  readonly corrupt: number;
}

/** Below this number, a share says nothing. */
const FEW = 100;

/**
 * Compares the content of stores with the references of all databases, in one pass in the order of digests. Changes
 * nothing. Memory is bounded by `limit`, for every size of stores and databases.
 * @throws CollectorError, BlobError
 */
export async function planCollection(
  stores: readonly BlobCollection[],
  sources: readonly References[],
  { startedAt, graceMs, limit }: CollectionOptions,
): Promise<CollectionPlan> {
  const before = startedAt - graceMs;
  const counts: CollectionPlan['counts'] = {
    kept: 0,
    referenced: 0,
    young: 0,
    unreferenced: 0,
    unreferencedBytes: 0,
    aside: 0,
    waiting: 0,
    due: 0,
    dueBytes: 0,
    needed: 0,
  };
  const [setAside, remove, restore]: [Task[], Task[], Task[]] = [[], [], []];
  const note = (tasks: Task[], task: Task): void => {
    if (tasks.length < limit) tasks.push(task);
  };
  const listings = stores.flatMap((store) => [placed(store, true, store.kept()), placed(store, false, store.aside())]);
  const references = keysOf(
    grouped(
      sources.map((source) => source.references()),
      (digest) => digest,
    ),
  );

  for await (const { members, isReferenced } of withReferences(grouped(listings, digestOf), references))
    for (const { store, isKept, blob } of members) {
      const task = { store, digest: blob.digest };
      counts[isKept ? 'kept' : 'aside'] += 1;
      if (isReferenced) {
        counts[isKept ? 'referenced' : 'needed'] += 1;
        if (!isKept) note(restore, task);
        continue;
      }
      const facts = await blob.facts();
      if (facts === null) continue;
      if (facts.at > before) counts[isKept ? 'young' : 'waiting'] += 1;
      else if (isKept) {
        counts.unreferenced += 1;
        counts.unreferencedBytes += facts.byteLength;
        note(setAside, task);
      } else {
        counts.due += 1;
        counts.dueBytes += facts.byteLength;
        note(remove, task);
      }
    }
  return { counts, setAside, remove, restore };
}

/** @throws CollectorError `SHARE_TOO_LARGE` if a plan would set aside more than is plausible. */
export function ensurePlausible({ counts }: CollectionPlan, { maxShare }: CollectionOptions): void {
  const { kept, unreferenced } = counts;
  if (unreferenced < FEW || unreferenced <= kept * maxShare) return;
  throw new CollectorError(
    'SHARE_TOO_LARGE',
    `${unreferenced} of ${kept} blobs are unreferenced, more than the share ${maxShare}: check that every database is complete`,
  );
}

/**
 * Acts on a plan. A killed run leaves nothing that the next one does not finish.
 * @throws BlobError
 */
export async function actOn(
  plan: CollectionPlan,
  { startedAt, graceMs }: CollectionOptions,
): Promise<CollectionResult> {
  let [setAside, removed, restored, corrupt] = [0, 0, 0, 0];
  for (const { store, digest } of plan.restore) {
    await store.restore(digest);
    restored += 1;
  }
  failpoint('blobs.restored');
  for (const { store, digest } of plan.remove) {
    if (await store.remove(digest, startedAt - graceMs)) removed += 1;
    failpoint('blobs.removed-one');
  }
  for (const { store, digest } of plan.setAside) {
    const outcome = await store.setAside(digest);
    if (outcome === 'set-aside') setAside += 1;
    if (outcome === 'corrupt') corrupt += 1;
    failpoint('blobs.set-aside-one');
  }
  return { setAside, removed, restored, corrupt };
}

interface Placed {
  readonly store: BlobCollection;
  readonly isKept: boolean;
  readonly blob: ListedBlob;
}

const digestOf = ({ blob }: Placed): string => blob.digest;

async function* placed(
  store: BlobCollection,
  isKept: boolean,
  blobs: AsyncIterable<ListedBlob>,
): AsyncIterable<Placed> {
  for await (const blob of blobs) yield { store, isKept, blob };
}

async function* keysOf(groups: AsyncIterable<{ readonly key: string }>): AsyncIterable<string> {
  for await (const { key } of groups) yield key;
}
