-- CreateTable
CREATE TABLE "module_submission" (
    "submission_id" UUID NOT NULL,
    "author" TEXT NOT NULL,
    "reward_wallet" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "family_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "package_id" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "supersedes" UUID,
    "receipt" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "relay_after" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "review_started_at" TIMESTAMPTZ(3),

    CONSTRAINT "module_submission_pkey" PRIMARY KEY ("submission_id")
);

-- CreateTable
CREATE TABLE "module_review" (
    "submission_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "projection" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "module_review_pkey" PRIMARY KEY ("submission_id")
);

-- CreateTable
CREATE TABLE "module_review_readiness" (
    "one" INTEGER NOT NULL DEFAULT 1,
    "document" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "module_review_readiness_pkey" PRIMARY KEY ("one")
);

-- CreateIndex
CREATE UNIQUE INDEX "module_submission_package_id_key" ON "module_submission"("package_id");

-- CreateIndex
CREATE UNIQUE INDEX "module_submission_supersedes_key" ON "module_submission"("supersedes");

-- CreateIndex
CREATE INDEX "module_submission_author_received_at_submission_id_idx" ON "module_submission"("author", "received_at" DESC, "submission_id");

-- CreateIndex
CREATE UNIQUE INDEX "module_submission_author_family_version_key" ON "module_submission"("author", "family", "version");

-- AddForeignKey
ALTER TABLE "module_submission" ADD CONSTRAINT "module_submission_supersedes_fkey" FOREIGN KEY ("supersedes") REFERENCES "module_submission"("submission_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "module_review" ADD CONSTRAINT "module_review_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "module_submission"("submission_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.

-- A wallet has a second lineage of sign-ins, for keys of modules.
ALTER TABLE "credential"
  DROP CONSTRAINT "credential_origin_known",
  ADD CONSTRAINT "credential_origin_known" CHECK ("origin" IN ('operator', 'sign-in', 'sign-in-modules'));
CREATE INDEX "credential_sign_in_modules" ON "credential" ("controller", "generation" DESC) WHERE "origin" = 'sign-in-modules';

ALTER TABLE "module_submission"
  ADD CONSTRAINT "module_submission_supersedes_other" CHECK ("supersedes" <> "submission_id");
ALTER TABLE "module_review"
  ADD CONSTRAINT "module_review_state_known" CHECK ("state" IN
    ('awaiting_plan', 'queued', 'running', 'built', 'build_failed', 'changes_requested', 'rejected', 'accepted')),
  ADD CONSTRAINT "module_review_revision" CHECK ("revision" >= 0);
ALTER TABLE "module_review_readiness"
  ADD CONSTRAINT "module_review_readiness_one" CHECK ("one" = 1);

-- What the relay looks for.
CREATE INDEX "module_submission_unstarted" ON "module_submission" ("relay_after") WHERE "review_started_at" IS NULL;

-- A receipt is history, whatever the code above does: only what the relay notes changes.
CREATE FUNCTION "module_submission_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'module submissions are kept' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (to_jsonb(NEW) - 'relay_after' - 'review_started_at') <> (to_jsonb(OLD) - 'relay_after' - 'review_started_at')
     OR (OLD."review_started_at" IS NOT NULL AND NEW."review_started_at" IS DISTINCT FROM OLD."review_started_at") THEN
    RAISE EXCEPTION 'module submission %: what was received stays', OLD."submission_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "module_submission_stays" BEFORE UPDATE OR DELETE ON "module_submission" FOR EACH ROW EXECUTE FUNCTION "module_submission_stays"();
CREATE TRIGGER "module_submission_kept" BEFORE TRUNCATE ON "module_submission" FOR EACH STATEMENT EXECUTE FUNCTION "module_submission_stays"();

-- A review goes forward. A database restored from an older copy catches up, so revisions may be left out; the review's own never are.
CREATE FUNCTION "module_review_goes_on"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."submission_id" <> OLD."submission_id" OR NEW."revision" < OLD."revision"
     OR (NEW."revision" = OLD."revision" AND NEW."state" <> OLD."state") THEN
    RAISE EXCEPTION 'module review %: % does not follow %', OLD."submission_id", NEW."revision", OLD."revision" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "module_review_goes_on" BEFORE UPDATE ON "module_review" FOR EACH ROW EXECUTE FUNCTION "module_review_goes_on"();
