import { z } from 'zod';
import { DevnetError } from './devnet.errors.js';

const port = z.int().min(0).max(65_535);
const portPair = z.tuple([port, port]);

const optionsSchema = z.strictObject({
  /** Folder for keys and chain state; created if absent. */
  dir: z.string().min(1),
  /** Seconds from L2 inclusion to an Ethereum-finalized checkpoint, on average. */
  finalitySeconds: z.number().min(2).max(86_400).default(10),
  l2BlockMs: z.int().min(50).max(60_000).default(250),
  /** Interface of the providers. The controls and the raw chains are on loopback. */
  host: z.string().min(1).default('127.0.0.1'),
  /** 0 or absent means a free port. */
  ports: z.strictObject({ '4663': portPair.optional(), '1': portPair.optional(), faults: port.optional() }).default({}),
  /** The parts of `finalitySeconds`. Each absent part is derived from it. */
  policy: z
    .strictObject({
      l1BlockMs: z.int().min(100).max(60_000).optional(),
      postEveryMs: z.int().min(100).max(3_600_000).optional(),
      /** `finalized` on L1 is the head minus this many blocks. */
      l1FinalityDepth: z.int().min(1).max(10_000).optional(),
    })
    .default({}),
  /** File of the permit authority's key, which is written if absent. */
  permitAuthorityKeyFile: z.string().min(1).optional(),
  /** Milliseconds between blocks while no transaction is on its way to finality; 0 keeps the normal pace. */
  idleBlockMs: z.int().min(0).max(3_600_000).default(10_000),
  /** Records the chains' changes, so that the next start in `dir` restores them, however this one ends. */
  keepState: z.boolean().default(true),
  /** Begins new chains with new keys, and removes those in `dir`. */
  fresh: z.boolean().default(false),
});

export type DevnetOptions = z.input<typeof optionsSchema>;

export interface DevnetTiming {
  readonly l1BlockMs: number;
  readonly l2BlockMs: number;
  /** 0 keeps the normal pace. */
  readonly idleBlockMs: number;
  readonly postEveryMs: number;
  readonly l1FinalityDepth: number;
}

export interface ResolvedOptions extends z.output<typeof optionsSchema> {
  readonly timing: DevnetTiming;
}

/** @throws DevnetError `OPTIONS_INVALID` naming the first invalid field. */
export function resolveOptions(options: DevnetOptions): ResolvedOptions {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DevnetError('OPTIONS_INVALID', issue?.message ?? 'invalid options', {
      path: issue?.path.join('.') ?? '',
    });
  }
  return { ...parsed.data, timing: timingOf(parsed.data) };
}

/**
 * Derives the timing. A transaction waits half a posting interval for its batch, and half an L1 block for the batch to be
 * mined. The finality depth takes the rest.
 */
function timingOf(options: z.output<typeof optionsSchema>): DevnetTiming {
  const totalMs = options.finalitySeconds * 1000;
  const l1BlockMs = options.policy.l1BlockMs ?? Math.min(1000, Math.max(250, totalMs / 8));
  const postEveryMs = options.policy.postEveryMs ?? Math.min(60_000, Math.max(l1BlockMs, totalMs / 5));
  const remainingMs = totalMs - postEveryMs / 2 - l1BlockMs / 2;
  const l1FinalityDepth = options.policy.l1FinalityDepth ?? Math.max(1, Math.round(remainingMs / l1BlockMs));
  return { l1BlockMs, l2BlockMs: options.l2BlockMs, idleBlockMs: options.idleBlockMs, postEveryMs, l1FinalityDepth };
}
