-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
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

-- CreateTable
CREATE TABLE "stage_durations" (
    "launch_id" UUID NOT NULL,
    "stage" VARCHAR(32) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stage_durations_pkey" PRIMARY KEY ("launch_id","stage")
);

-- CreateTable
CREATE TABLE "observer_notes" (
    "launch_id" UUID NOT NULL,
    "reason" VARCHAR(256) NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "observer_notes_pkey" PRIMARY KEY ("launch_id","reason")
);

-- CreateIndex
CREATE INDEX "launch_observations_stage_idx" ON "launch_observations"("stage");

-- CreateIndex
CREATE INDEX "stage_durations_stage_reached_at_idx" ON "stage_durations"("stage", "reached_at" DESC);

-- CreateIndex
CREATE INDEX "observer_notes_last_seen_idx" ON "observer_notes"("last_seen");

