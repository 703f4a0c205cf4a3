import type { Faults } from '@launch/devnet';
import { CHAINS, type Chain, type Controls, type FaultControl, type Provider } from './fault-control.js';

/** The options of a fault, as given or by default. */
export interface GivenFault {
  readonly chain: Chain | null;
  /** `first`, `second`, `both`, or the id of a provider. */
  readonly provider: string | null;
  readonly blocks: number | null;
  readonly transaction: string | null;
  readonly about: LieSubject | null;
  readonly how: OutageForm | null;
  /** US dollars for an ether, decimal. */
  readonly usd: string | null;
  /** Age of the price in seconds. */
  readonly age: number | null;
  /** Seconds after which the fault ends by itself. */
  readonly seconds: number | null;
}

export type FaultOption = Exclude<keyof GivenFault, 'seconds'>;
export const LIE_SUBJECTS = ['receipts', 'blocks', 'logs'] as const;
export type LieSubject = (typeof LIE_SUBJECTS)[number];
export const OUTAGE_FORMS = ['errors', 'reset', 'timeout'] as const;
export type OutageForm = (typeof OUTAGE_FORMS)[number];

/** A fault that is in effect: its place, its effect there, and the time at which it ends. */
export interface ActiveFault {
  readonly chain: Chain;
  readonly subject: string;
  readonly effect: string;
  readonly until: string | null;
}

export interface FaultKind {
  readonly summary: string;
  readonly options: readonly FaultOption[];
  /** The effect on a client of the service; docs/guides/provoke-faults.md has the details. */
  readonly sees: string;
  /** Begins the fault. Returns what it did. */
  begin(control: FaultControl, given: GivenFault): Promise<string>;
  /** Ends the fault wherever it is in effect. */
  end(control: FaultControl, active: readonly ActiveFault[]): Promise<void>;
  activeIn(controls: Controls): ActiveFault[];
}

/** A request for a provider that the chain does not have. */
export class UnknownProvider extends Error {}

interface ProviderFault {
  readonly summary: string;
  readonly options: readonly FaultOption[];
  readonly sees: string;
  readonly chain: Chain;
  readonly provider: 'second' | 'both';
  readonly faultsOf: (given: GivenFault) => Partial<Faults>;
  /** Returns the effect of the fault, or null if the provider does not have it. */
  readonly effectOf: (faults: Faults) => string | null;
}

function providersOf(controls: Controls, chain: Chain, asked: string): readonly Provider[] {
  const { providers } = controls.chains[chain];
  if (asked === 'both') return providers;
  const index = ['first', 'second'].indexOf(asked);
  const found = index < 0 ? providers.find(({ id }) => id === asked) : providers[index];
  if (found === undefined)
    throw new UnknownProvider(
      `Chain ${chain} has no provider ${asked}: use first, second, both, ${providers.map(({ id }) => id).join(' or ')}.`,
    );
  return [found];
}

/** Builds a fault that providers have. A provider has one fault at a time. */
const providerFault = ({ chain, provider, faultsOf, effectOf, ...described }: ProviderFault): FaultKind => ({
  ...described,
  options: ['chain', 'provider', ...described.options],
  async begin(control, given) {
    const on = given.chain ?? chain;
    const chosen = providersOf(await control.read(), on, given.provider ?? provider);
    for (const { id } of chosen) await control.setFaults(on, id, faultsOf(given), given.seconds);
    const [first] = (await control.read()).chains[on].providers.filter(({ id }) => id === chosen[0]?.id);
    return `${effectOf(first!.faults) ?? 'no fault'} on ${chosen.map(({ id }) => id).join(' and ')} of chain ${on}`;
  },
  async end(control, active) {
    for (const { chain: on, subject } of active) await control.setFaults(on, subject, {}, null);
  },
  activeIn: ({ chains }) =>
    CHAINS.flatMap((on) =>
      chains[on].providers.flatMap(({ id, faults, until }) => {
        const effect = effectOf(faults);
        return effect === null ? [] : [{ chain: on, subject: id, effect, until }];
      }),
    ),
});

const LIES: Readonly<Record<LieSubject, Partial<Faults>>> = {
  receipts: { forgeReceipt: { transactionHash: null, fields: ['status', 'logs'] } },
  blocks: { disagree: true },
  logs: { emptyLogs: true },
};

/** Feeds have 8 decimals. */
const FEED_UNIT = 100_000_000n;
const STALE_SECONDS = 7_200;
/** A price is fresh in every block; a block may be this old on an idle chain. */
const FRESH_SECONDS = 60;

function feedAnswer(usd: string): string {
  const [whole = '0', part = ''] = usd.split('.');
  return (BigInt(whole) * FEED_UNIT + BigInt(part.padEnd(8, '0'))).toString();
}
const dollars = (answer: string): string => (Number(answer) / Number(FEED_UNIT)).toFixed(2);

export const FAULT_KINDS = {
  reorg: {
    summary: 'replaces the newest blocks of a chain by empty ones; their transactions leave the chain',
    options: ['chain', 'blocks', 'transaction'],
    sees: 'A launch in the replaced blocks falls back to its earlier state and keeps its hand-off; it is included again after --clear.',
    async begin(control, { chain, blocks, transaction, seconds }) {
      const on = chain ?? '4663';
      const request = transaction === null ? { depth: blocks ?? 1 } : { dropTransaction: transaction };
      const { depth, fromBlock, droppedTransactions, droppedBatches } = await control.reorg(on, request, seconds);
      const batches = droppedBatches.length === 0 ? '' : `, and ${droppedBatches.length} batches left chain 1`;
      return `chain ${on} replaced ${depth} blocks from ${fromBlock}; ${droppedTransactions.length} transactions left it${batches}`;
    },
    async end(control, active) {
      for (const { chain } of active) await control.restore(chain);
    },
    activeIn: ({ chains }) =>
      CHAINS.flatMap((chain) => {
        const { transactions, until } = chains[chain].dropped;
        if (transactions === 0) return [];
        return [{ chain, subject: 'blocks', effect: `${transactions} transactions dropped`, until }];
      }),
  },
  lag: providerFault({
    summary: 'a provider is behind the chain by a number of blocks',
    options: ['blocks'],
    sees: 'Launches in the hidden blocks stay in their state with observation.status "indeterminate"; nothing is lost.',
    chain: '4663',
    provider: 'second',
    faultsOf: ({ blocks }) => ({ lag: blocks ?? 500 }),
    effectOf: ({ lag }) => (lag > 0 ? `${lag} blocks behind` : null),
  }),
  lie: providerFault({
    summary: 'a provider answers with other receipts, block hashes or logs than the chain has',
    options: ['about'],
    sees: 'Launches stay in the last state on which both providers agreed, with observation.status "indeterminate".',
    chain: '4663',
    provider: 'second',
    faultsOf: ({ about }) => LIES[about ?? 'receipts'],
    effectOf: ({ forgeReceipt, disagree, emptyLogs }) =>
      forgeReceipt !== null ? 'forged receipts' : disagree ? 'other block hashes' : emptyLogs ? 'no logs' : null,
  }),
  outage: providerFault({
    summary: 'providers fail: HTTP 500, cut connections, or no answer',
    options: ['how'],
    sees: 'The quote and preflights answer 503 with Retry-After; launches keep their state with observation.status "indeterminate"; after a minute the index is stale and answers 503 in place of 404.',
    chain: '4663',
    provider: 'both',
    faultsOf: ({ how }) => (how === 'reset' || how === 'timeout' ? { dropResponses: how } : { errors: true }),
    effectOf: ({ errors, dropResponses }) =>
      errors
        ? 'HTTP 500'
        : dropResponses === 'reset'
          ? 'cut connections'
          : dropResponses === 'timeout'
            ? 'no answer'
            : null,
  }),
  'hold-finality': providerFault({
    summary: 'the finalized block of a chain stays where it is',
    options: [],
    sees: 'Launches are posted and stay there (multi-role "included", custom "ethereum_posted"); no record is published.',
    chain: '1',
    provider: 'both',
    faultsOf: () => ({ holdFinalized: true }),
    effectOf: ({ holdFinalized }) => (holdFinalized ? 'a held finalized block' : null),
  }),
  'price-feed': {
    summary: 'the ETH / USD feed of a chain is stale, or has another price',
    options: ['chain', 'usd', 'age'],
    sees: 'The initial-buy quote answers 503 CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED with Retry-After, and readiness is unavailable for that reason.',
    async begin(control, { chain, usd, age, seconds }) {
      const on = chain ?? '4663';
      const { usual } = (await control.read()).chains[on].price;
      const answer = usd === null ? usual : feedAnswer(usd);
      const ageSeconds = age ?? (usd === null ? STALE_SECONDS : 0);
      await control.setPrice(on, ageSeconds === 0 ? { answer } : { answer, ageSeconds }, seconds);
      return `${dollars(answer)} USD${ageSeconds === 0 ? '' : `, ${ageSeconds} seconds old,`} on the feed of chain ${on}`;
    },
    async end(control, active) {
      const { chains } = await control.read();
      for (const { chain } of active) await control.setPrice(chain, { answer: chains[chain].price.usual }, null);
    },
    activeIn: ({ chains }) =>
      CHAINS.flatMap((chain) => {
        const { answer, usual, ageSeconds, until } = chains[chain].price;
        if (answer === usual && Math.abs(ageSeconds) <= FRESH_SECONDS) return [];
        return [
          {
            chain,
            subject: 'the feed',
            effect: `${dollars(answer)} USD, ${ageSeconds} seconds old,`,
            until,
          },
        ];
      }),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULT_KINDS;
export const FAULT_NAMES = Object.keys(FAULT_KINDS) as FaultName[];
