-- CreateTable
CREATE TABLE "step_observations" (
    "plan_id" UUID NOT NULL,
    "step_id" VARCHAR(64) NOT NULL,
    "stage" VARCHAR(32) NOT NULL,
    "polls" INTEGER NOT NULL,
    "memory" JSONB NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "reason" VARCHAR(256),
    "evidence_sha256" CHAR(71),
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "step_observations_pkey" PRIMARY KEY ("plan_id","step_id")
);

-- CreateIndex
CREATE INDEX "step_observations_stage_idx" ON "step_observations"("stage");
