-- One table of launches for every family, one of published records for every feed.

-- AlterTable
ALTER TABLE "launch"
  ADD COLUMN "family" TEXT NOT NULL DEFAULT 'multi-role.v2',
  ADD COLUMN "sequence" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "summary" TEXT,
  ADD COLUMN "failure" TEXT;

-- AlterTable
ALTER TABLE "finalized_record" ADD COLUMN "feed" TEXT;

-- What Prisma cannot say.

-- Rows are written once, so they are rewritten with their column and not updated.
ALTER TABLE "finalized_record" ALTER COLUMN "feed" TYPE TEXT USING 'multi-role.v' || "generation";

-- AlterTable
ALTER TABLE "finalized_record" ALTER COLUMN "feed" SET NOT NULL;

-- DropIndex
DROP INDEX "launch_lineage_id_controller_created_at_launch_id_idx";

-- CreateIndex
CREATE INDEX "launch_lineage_id_family_controller_created_at_launch_id_idx" ON "launch"("lineage_id", "family", "controller", "created_at" DESC, "launch_id");

-- CreateIndex
CREATE INDEX "finalized_record_feed_publication_number_idx" ON "finalized_record"("feed", "publication_number");

-- What Prisma cannot say.

ALTER TABLE "launch"
  DROP CONSTRAINT "launch_status_known",
  ADD CONSTRAINT "launch_status_known" CHECK (CASE "family"
    WHEN 'multi-role.v2' THEN "status" IN
      ('reserved', 'admitting', 'action_required', 'authorized', 'awaiting_wallet_signature', 'submitted', 'finalized', 'failed', 'expired')
    WHEN 'custom-launch.v4' THEN "status" IN
      ('admitting', 'action_required', 'authorized', 'awaiting_wallet_signature', 'wallet_action_required', 'submitted',
       'sequencer_soft_confirmed', 'ethereum_posted', 'finalized', 'failed')
    WHEN 'plan.v1' THEN "status" IN
      ('admission_pending', 'action_required', 'awaiting_wallet', 'in_progress', 'finalizing', 'finalized', 'failed', 'expired', 'superseded')
    ELSE false END),
  DROP CONSTRAINT "launch_handoff_whole",
  -- The hand-off of a plan is as large as its steps are many: the row names its blob alone.
  ADD CONSTRAINT "launch_handoff_whole" CHECK (CASE "family"
    WHEN 'plan.v1' THEN "handoff" IS NULL
    ELSE ("handoff" IS NULL) = ("handoff_sha256" IS NULL) END);

-- Launches that the relay may have to move, of every family: the only rows its sweep reads.
DROP INDEX "launch_unfinished";
CREATE INDEX "launch_unfinished" ON "launch" ("relay_after")
  WHERE "status" NOT IN ('action_required', 'finalized', 'failed', 'expired', 'superseded');

-- As before; the family stays too, and another plan may take the place of one that ended below finality.
CREATE OR REPLACE FUNCTION "launch_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."assessment" IS NOT NULL AND NEW."assessment" IS DISTINCT FROM OLD."assessment" THEN
    RAISE EXCEPTION 'launch %: the source assessment is decided', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."handoff_sha256" IS NOT NULL AND (NEW."handoff" IS DISTINCT FROM OLD."handoff" OR NEW."handoff_sha256" IS DISTINCT FROM OLD."handoff_sha256") THEN
    RAISE EXCEPTION 'launch %: the wallet hand-off is published', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."status" IN ('finalized', 'action_required', 'failed', 'expired', 'superseded') AND NEW."status" <> OLD."status"
     AND NOT (OLD."family" = 'plan.v1' AND NEW."status" = 'superseded' AND OLD."status" <> 'finalized') THEN
    RAISE EXCEPTION 'launch %: % is an end', OLD."launch_id", OLD."status" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW."family", NEW."request_sha256", NEW."request_hash", NEW."context_hash", NEW."controller", NEW."router", NEW."nonce", NEW."lineage_id", NEW."valid_after", NEW."deadline", NEW."summary", NEW."created_at")
     IS DISTINCT FROM
     (OLD."family", OLD."request_sha256", OLD."request_hash", OLD."context_hash", OLD."controller", OLD."router", OLD."nonce", OLD."lineage_id", OLD."valid_after", OLD."deadline", OLD."summary", OLD."created_at") THEN
    RAISE EXCEPTION 'launch %: what was reserved stays', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- Gateways of the release before write and read "generation" while they drain; they have the multi-role feeds alone. The
-- column, its index and this function go when no such gateway is left.
ALTER TABLE "finalized_record"
  DROP CONSTRAINT "finalized_record_generation_known",
  ADD CONSTRAINT "finalized_record_feed_known" CHECK (("feed", "generation") IN
    (('multi-role.v2', 2), ('multi-role.v3', 3), ('custom-launch.v4', 4)));
CREATE FUNCTION "feed_is_named"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."feed" := coalesce(NEW."feed", 'multi-role.v' || NEW."generation");
  IF NEW."feed" = 'custom-launch.v4' THEN NEW."generation" := 4; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "finalized_record_named" BEFORE INSERT ON "finalized_record" FOR EACH ROW EXECUTE FUNCTION "feed_is_named"();
