import { z } from 'zod';

const samples = z.array(z.number().nonnegative());

/** One measured thing beside its peer. `ratio` is ours divided by the peer's; `better` says which way is better. */
export const measurementSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
    unit: z.string().min(1),
    better: z.enum(['higher', 'lower']),
    /** The statistic that summarises the samples as `ours` and `peer`. */
    summary: z.enum(['best', 'median', 'p95', 'p99']),
    ours: z.number().nonnegative(),
    /** Null with `peerName` and `ratio` where a number has no counterpart: a part of a measured whole. */
    peer: z.number().positive().nullable(),
    peerName: z.string().min(1).nullable(),
    ratio: z.number().nonnegative().nullable(),
    samples: z.strictObject({ ours: samples, peer: samples }),
  })
  .refine((one) => (one.peer === null) === (one.peerName === null) && (one.peer === null) === (one.ratio === null), {
    message: 'a peer has a name and gives a ratio',
  });
export type Measurement = z.infer<typeof measurementSchema>;

/** The document that a run prints on stdout. */
export const benchDocumentSchema = z.strictObject({
  schemaVersion: z.literal('launch.bench.v1'),
  startedAt: z.iso.datetime(),
  durationSeconds: z.number().nonnegative(),
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.number().int().positive(),
    memoryBytes: z.number().int().positive(),
    /** One-minute load average before and after: above `cores`, others were at work too. */
    load: z.strictObject({ before: z.number(), after: z.number() }),
    platform: z.string(),
    node: z.string(),
  }),
  benches: z.array(measurementSchema),
  /** Benches without a measurement, each with the reason. Only `failed` makes the run fail. */
  missing: z.array(
    z.strictObject({ name: z.string(), kind: z.enum(['failed', 'time-up', 'interrupted']), reason: z.string() }),
  ),
});
export type BenchDocument = z.infer<typeof benchDocumentSchema>;
