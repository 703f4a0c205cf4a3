import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { FinalityDatabase } from '@launch/prisma-finality';

/** The last observation of a launch or of a plan's step. */
export interface LastSeen {
  readonly memory: ObservationMemory;
  readonly status: 'agreed' | 'indeterminate';
  readonly reason: string | null;
  readonly evidenceSha256: Sha256Digest | null;
  readonly observedAt: Date;
}

export interface ObservationRow extends LastSeen {
  readonly launchId: string;
}

export interface ObservationRepository {
  save(row: ObservationRow): Promise<void>;
  /** Returns the number of polls of a launch, over all runs of its observation. */
  polls(launchId: string): Promise<number>;
  /** Records the length of a launch's stage; the first record of a stage is kept. */
  addDuration(launchId: string, stage: ObservedStage, durationMs: number, reachedAt: Date): Promise<void>;
  /** Returns the most recent lengths of a stage since a time, newest first. */
  recentDurations(stage: ObservedStage, since: Date): Promise<number[]>;
  recordPublished(launchId: string, recordSha256: Sha256Digest): Promise<void>;
}

/** The number of launches in an estimate. */
const ROLLING = 200;

/** Returns the columns of both tables; existing evidence is never removed. */
export const columnsOf = ({ memory, status, reason, evidenceSha256, observedAt }: LastSeen) => ({
  stage: memory.stage,
  polls: memory.polls,
  memory: structuredClone(memory) as object,
  status,
  reason,
  observedAt,
  ...(evidenceSha256 === null ? {} : { evidenceSha256 }),
});

export const createObservationRepository = (database: FinalityDatabase): ObservationRepository => ({
  async save({ launchId, ...seen }) {
    const { status, reason, observedAt } = seen;
    const fields = columnsOf(seen);
    await database.launchObservation.upsert({ where: { launchId }, create: { launchId, ...fields }, update: fields });
    if (status === 'agreed' || reason === null) return;
    await database.observerNote.upsert({
      where: { launchId_reason: { launchId, reason } },
      create: { launchId, reason, firstSeen: observedAt, lastSeen: observedAt },
      update: { times: { increment: 1 }, lastSeen: observedAt },
    });
  },
  async polls(launchId) {
    const row = await database.launchObservation.findUnique({ where: { launchId }, select: { polls: true } });
    return row?.polls ?? 0;
  },
  async addDuration(launchId, stage, durationMs, reachedAt) {
    await database.stageDuration.createMany({
      data: [{ launchId, stage, durationMs, reachedAt }],
      skipDuplicates: true,
    });
  },
  async recentDurations(stage, since) {
    const rows = await database.stageDuration.findMany({
      where: { stage, reachedAt: { gte: since } },
      orderBy: { reachedAt: 'desc' },
      take: ROLLING,
      select: { durationMs: true },
    });
    return rows.map(({ durationMs }) => durationMs);
  },
  async recordPublished(launchId, recordSha256) {
    await database.launchObservation.updateMany({ where: { launchId }, data: { recordSha256 } });
  },
});
