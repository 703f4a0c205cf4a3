-- The last observation of each launch.
CREATE TABLE "launch_observations" (
    "launch_id" UUID NOT NULL,
    "stage" VARCHAR(32) NOT NULL,
    "polls" INTEGER NOT NULL,
    "memory" JSONB NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "reason" VARCHAR(256),
    "evidence_sha256" CHAR(71),
    "record_sha256" CHAR(71),
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "launch_observations_pkey" PRIMARY KEY ("launch_id")
);
CREATE INDEX "launch_observations_stage_idx" ON "launch_observations"("stage");

-- The last observation of each step of a plan.
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
CREATE INDEX "step_observations_stage_idx" ON "step_observations"("stage");

-- How long a launch stayed in each stage: estimates are computed from these.
CREATE TABLE "stage_durations" (
    "launch_id" UUID NOT NULL,
    "stage" VARCHAR(32) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "stage_durations_pkey" PRIMARY KEY ("launch_id","stage")
);
CREATE INDEX "stage_durations_stage_reached_at_idx" ON "stage_durations"("stage", "reached_at" DESC);

-- Reasons why observers did not agree on a launch.
CREATE TABLE "observer_notes" (
    "launch_id" UUID NOT NULL,
    "reason" VARCHAR(256) NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "observer_notes_pkey" PRIMARY KEY ("launch_id","reason")
);
CREATE INDEX "observer_notes_last_seen_idx" ON "observer_notes"("last_seen");

-- The block up to which each router's recovery has read.
CREATE TABLE "recovery_checkpoints" (
    "router" CHAR(42) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "recovery_checkpoints_pkey" PRIMARY KEY ("router")
);

-- Launches whose transaction no client has named: the recovery searches for them.
CREATE TABLE "unsent_launches" (
    "launch_id" UUID NOT NULL,
    "router" CHAR(42) NOT NULL,
    "onchain_launch_id" CHAR(66) NOT NULL,
    "search_from" BIGINT NOT NULL,
    CONSTRAINT "unsent_launches_pkey" PRIMARY KEY ("launch_id")
);
CREATE INDEX "unsent_launches_router_onchain_launch_id_idx" ON "unsent_launches"("router", "onchain_launch_id");

-- Contexts of custom launches and plans.
CREATE TABLE "custom_launch_contexts" (
    "context_hash" CHAR(66) NOT NULL,
    "document" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "custom_launch_contexts_pkey" PRIMARY KEY ("context_hash")
);
