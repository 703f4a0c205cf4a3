-- AlterTable
ALTER TABLE "finalized_record" ADD COLUMN     "generation" SMALLINT NOT NULL DEFAULT 2;

-- AlterTable
ALTER TABLE "transaction_hint" ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'client';

-- CreateTable
CREATE TABLE "recovery_report" (
    "router" TEXT NOT NULL,
    "checkpoint_number" BIGINT,
    "checkpoint_hash" TEXT,
    "head_number" BIGINT,
    "observation" TEXT NOT NULL,
    "reason" TEXT,
    "reported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recovery_report_pkey" PRIMARY KEY ("router")
);

-- CreateIndex
CREATE INDEX "finalized_record_generation_publication_number_idx" ON "finalized_record"("generation", "publication_number");

-- CreateIndex
CREATE INDEX "launch_onchain_launch_id_idx" ON "launch"("onchain_launch_id");


-- What Prisma cannot say.
ALTER TABLE "finalized_record" ADD CONSTRAINT "finalized_record_generation_known" CHECK ("generation" IN (2, 3));
ALTER TABLE "transaction_hint" ADD CONSTRAINT "transaction_hint_source_known" CHECK ("source" IN ('client', 'recovery'));
ALTER TABLE "recovery_report"
  ADD CONSTRAINT "recovery_report_observation_known" CHECK ("observation" IN ('agreed', 'indeterminate')),
  ADD CONSTRAINT "recovery_report_checkpoint_whole" CHECK (("checkpoint_number" IS NULL) = ("checkpoint_hash" IS NULL));
