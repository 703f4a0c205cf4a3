import type { ValueOf } from '@launch/sdk/operations';
import type { Read } from '../../site/gateway.js';
import type { ShownChain } from '../../site/chains.js';
import type { Tone } from '../../ui/status.js';

/** The public routes that the page reads; each can fail on its own. */
export interface ServiceReads {
  readonly health: Read<unknown>;
  readonly discovery: Read<ValueOf<'getDiscovery', 200>>;
  readonly readiness: Read<ValueOf<'getLaunchReadiness', 200>>;
  readonly finality: Read<ValueOf<'getFinalityReadiness', 200>>;
  readonly index: Read<ValueOf<'getIndexStatus', 200>>;
  readonly modules: Read<ValueOf<'getModuleCapabilities', 200>>;
  readonly review: Read<ValueOf<'getModuleReviewCapabilities', 200>>;
}
export type IndexStatus = ValueOf<'getIndexStatus', 200>;
export type IndexedSource = IndexStatus['sources'][number];

/** One clause of the summary. */
export interface Clause {
  readonly tone: Extract<Tone, 'good' | 'caution' | 'bad'>;
  readonly says: string;
}

/** Returns the state of the whole service in one sentence. */
export function summaryOf(reads: ServiceReads): Clause {
  if (Object.values<Read<unknown>>({ ...reads }).every(({ is }) => is === 'unavailable'))
    return { tone: 'bad', says: 'The site cannot reach the service, so nothing about it is known now.' };
  const clauses = [coinsClause(reads), launchesClause(reads), finalityClause(reads)] as const;
  const [coins, launches, finality] = clauses.map(({ says }) => says);
  const sentence = `${coins}, ${launches}, and ${finality}.`;
  const tone = clauses.every((clause) => clause.tone === 'good') ? 'good' : 'caution';
  return { tone, says: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
}

function coinsClause({ index }: ServiceReads): Clause {
  if (index.is !== 'value') return { tone: 'caution', says: 'the state of the list of coins is unknown' };
  switch (index.value.status) {
    case 'ok':
      return { tone: 'good', says: 'the list of coins is current' };
    case 'stale':
      return { tone: 'caution', says: 'the list of coins is behind the chains' };
    case 'indeterminate':
      return { tone: 'caution', says: 'the list of coins may be incomplete' };
  }
}

function launchesClause(reads: ServiceReads): Clause {
  const { readiness } = reads;
  if (readiness.is !== 'value') return { tone: 'caution', says: 'it is unknown whether new launches are open' };
  const gates = gatesOf(reads);
  if (gates.some(({ contradicts }) => contradicts))
    return { tone: 'caution', says: 'the service contradicts itself about new launches' };
  if (gates.some(({ isOpen }) => !isOpen)) return { tone: 'caution', says: 'new launches are closed' };
  return readiness.value.status === 'ready'
    ? { tone: 'good', says: 'new launches are open' }
    : { tone: 'caution', says: 'new launches wait for the service' };
}

function finalityClause({ finality }: ServiceReads): Clause {
  if (finality.is !== 'value')
    return { tone: 'caution', says: 'the state of the search for final launches is unknown' };
  switch (finality.value.status) {
    case 'ready':
      return { tone: 'good', says: 'every final launch up to the newest final block has been searched' };
    case 'catching_up':
      return { tone: 'caution', says: 'the search for final launches is catching up' };
    case 'unavailable':
      return { tone: 'caution', says: 'the search for final launches makes no progress' };
  }
}

export interface Gate {
  readonly name: 'publicWrites' | 'publicAuthorization' | 'releaseReady';
  readonly title: string;
  readonly means: string;
  readonly isOpen: boolean;
  /** Whether the discovery document states the opposite of readiness. */
  readonly contradicts: boolean;
}

const GATES = [
  ['publicWrites', 'New requests', 'The service takes new launches and checks them.'],
  ['publicAuthorization', 'Permits', 'The service signs permits, without which a launch cannot be sent.'],
  ['releaseReady', 'Release', 'The operator declared this release ready for the public.'],
] as const;

/** Returns the gates as readiness states them, each compared with the discovery document. None without readiness. */
export function gatesOf({ readiness, discovery }: ServiceReads): readonly Gate[] {
  if (readiness.is !== 'value') return [];
  const stated = discovery.is === 'value' ? discovery.value.customLaunchApi.versions.v4 : null;
  return GATES.map(([name, title, means]) => {
    const isOpen = readiness.value.gates[name];
    return { name, title, means, isOpen, contradicts: stated !== null && stated[name] !== isOpen };
  });
}

/** The distance of the index from the final blocks of a chain. Null members are unknown. */
export interface ChainLag {
  readonly chainId: ShownChain;
  readonly sources: number;
  /** Sources that are not current. */
  readonly behind: number;
  readonly finalizedHead: bigint | null;
  /** Final blocks that the slowest source did not read yet. */
  readonly lagBlocks: bigint | null;
  /** Time at which both providers last confirmed the slowest source. */
  readonly confirmedAt: string | null;
}

/** Returns the lag of each chain. A source that has ended reads nothing more and does not count. */
export function chainLags({ sources }: Pick<IndexStatus, 'sources'>): readonly ChainLag[] {
  return ([1, 4663] as const).map((chainId) => {
    const followed = sources.filter((source) => source.chainId === chainId && source.state !== 'ended');
    const heads = followed.flatMap(({ finalizedHead }) => (finalizedHead === null ? [] : [BigInt(finalizedHead)]));
    const lags = followed.map(({ lagBlocks }) => (lagBlocks === null ? null : BigInt(lagBlocks)));
    const times = followed.map(({ checkpoint }) => checkpoint?.confirmedAt ?? null);
    return {
      chainId,
      sources: followed.length,
      behind: followed.filter(({ freshness }) => freshness !== 'ok').length,
      finalizedHead: heads.length === 0 ? null : heads.reduce((one, other) => (one > other ? one : other)),
      lagBlocks: greatest(lags),
      confirmedAt: earliest(times),
    };
  });
}

/** The greatest lag, or null while the lag of one source is unknown. */
const greatest = (lags: readonly (bigint | null)[]): bigint | null =>
  lags.length === 0
    ? null
    : lags.reduce((one, other) => (one === null || other === null ? null : one > other ? one : other));

const earliest = (times: readonly (string | null)[]): string | null =>
  times.length === 0
    ? null
    : times.reduce((one, other) =>
        one === null || other === null ? null : Date.parse(one) < Date.parse(other) ? one : other,
      );

/** Whether the two providers of a chain agree, as far as public routes say. */
export interface Agreement {
  readonly subject: string;
  readonly says: 'agree' | 'differ' | 'unknown';
  readonly evidence: string;
}

/** Returns what readiness and the search for final launches say about the providers. */
export function agreementsOf({ readiness, finality }: ServiceReads): readonly Agreement[] {
  const observation = finality.is === 'value' ? finality.value.recovery?.observation : undefined;
  const differs = readiness.is === 'value' && readiness.value.reasonCodes.includes('OBSERVERS_INDETERMINATE');
  const checkpoint = readiness.is === 'value' ? readiness.value.checkpoint : null;
  return [
    {
      subject: 'A recent block of chain 4663',
      says: readiness.is !== 'value' ? 'unknown' : checkpoint === null || differs ? 'differ' : 'agree',
      evidence:
        readiness.is !== 'value'
          ? 'The site could not read readiness.'
          : checkpoint === null
            ? 'Readiness names no block that both providers have.'
            : `Both have block ${checkpoint.blockNumber} with the same hash.`,
    },
    {
      subject: 'Final launches of chain 4663',
      says: observation === undefined ? 'unknown' : observation === 'agreed' ? 'agree' : 'differ',
      evidence:
        finality.is !== 'value'
          ? 'The site could not read the state of the search for final launches.'
          : observation === undefined
            ? 'The search for final launches has not reported.'
            : 'From the last report of the search for final launches.',
    },
  ];
}
