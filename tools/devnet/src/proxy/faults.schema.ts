import { z } from 'zod';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const methods = z
  .array(z.string().regex(/^[a-z]+_[A-Za-z0-9]+$/))
  .min(1)
  .max(64)
  .nullable();

/** One endpoint's faults. An absent field is off; a PUT replaces every fault that was set. */
export const faultsSchema = z.strictObject({
  /** Blocks this node is behind the chain: later blocks, transactions and receipts do not exist for it. */
  lag: z.int().min(0).max(1_000_000).default(0),
  /** The head stays where it was when the fault was set. */
  staleHead: z.boolean().default(false),
  /** `safe` and `finalized` stay where they were when the fault was set. */
  holdFinalized: z.boolean().default(false),
  /** Every block hash differs from the chain's, consistently over blocks, receipts, logs and parameters. */
  disagree: z.boolean().default(false),
  /** `eth_getLogs` finds nothing. */
  emptyLogs: z.boolean().default(false),
  /** Receipts and logs of one transaction, or of all (null), are changed in these fields, the same in every method. */
  forgeReceipt: z
    .strictObject({
      transactionHash: hash.nullable().default(null),
      fields: z
        .array(z.enum(['status', 'logs', 'blockHash']))
        .min(1)
        .max(3)
        .default(['status']),
    })
    .nullable()
    .default(null),
  /** `timeout` never answers, `reset` cuts the connection. */
  dropResponses: z.enum(['timeout', 'reset']).nullable().default(null),
  /** HTTP 500. */
  errors: z.boolean().default(false),
  /** Restricts `dropResponses`, `errors` and `delayMs` to these methods; null affects all. */
  methods: methods.default(null),
  delayMs: z.int().min(0).max(600_000).default(0),
  /** Answers of a JSON-RPC batch arrive in reverse order. */
  reorderBatchResponses: z.boolean().default(false),
  /** The node has no `eth_simulateV1`. */
  noSimulate: z.boolean().default(false),
});

export type Faults = z.output<typeof faultsSchema>;

export const noFaults: Faults = faultsSchema.parse({});

/** Faults with the state recorded when they were set; block numbers. */
export interface ActiveFaults {
  readonly faults: Faults;
  readonly frozenHead: number | null;
  readonly frozenTags: { readonly safe: number; readonly finalized: number } | null;
}

export const noActiveFaults: ActiveFaults = { faults: noFaults, frozenHead: null, frozenTags: null };
