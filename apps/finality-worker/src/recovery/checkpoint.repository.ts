import type { RecoveryBlock } from '@launch/contracts/orchestration';
import { bytes32Schema } from '@launch/contracts/primitives';
import type { FinalityDatabase } from '@launch/prisma-finality';

export interface CheckpointRepository {
  find(router: string): Promise<RecoveryBlock | null>;
  /** Moves a checkpoint from the value that the caller read. Does nothing if it has moved since. */
  move(router: string, before: RecoveryBlock | null, through: RecoveryBlock | null, movedAt: Date): Promise<void>;
}

export const createCheckpointRepository = (database: FinalityDatabase): CheckpointRepository => ({
  async find(router) {
    const row = await database.recoveryCheckpoint.findUnique({ where: { router } });
    return row === null
      ? null
      : { blockNumber: row.blockNumber.toString(), blockHash: bytes32Schema.parse(row.blockHash) };
  },
  async move(router, before, through, movedAt) {
    if (through === null) return;
    const place = { blockNumber: BigInt(through.blockNumber), blockHash: through.blockHash, movedAt };
    if (before === null)
      await database.recoveryCheckpoint.createMany({ data: [{ router, ...place }], skipDuplicates: true });
    else await database.recoveryCheckpoint.updateMany({ where: { router, blockHash: before.blockHash }, data: place });
  },
});
