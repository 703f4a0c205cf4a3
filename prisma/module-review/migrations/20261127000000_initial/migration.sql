-- Submissions, builds and decisions are written once.
CREATE FUNCTION "review_rows_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Reviews, one for each submission.
CREATE TABLE "reviews" (
    "submission_id" UUID NOT NULL,
    "request_digest" CHAR(71) NOT NULL,
    "package_id" CHAR(66) NOT NULL,
    "author" CHAR(42) NOT NULL,
    "supersedes" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reviews_pkey" PRIMARY KEY ("submission_id")
);
CREATE TRIGGER "reviews_rows_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "reviews" FOR EACH STATEMENT EXECUTE FUNCTION "review_rows_stay"();

-- The steps of each review.
CREATE TABLE "review_steps" (
    "submission_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "trigger" VARCHAR(32) NOT NULL,
    "state" VARCHAR(32) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "plan_sha256" CHAR(71),
    "failure_code" VARCHAR(64),
    "failure_place" TEXT,
    "build" JSONB,
    "decision_sha256" CHAR(71),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "review_steps_pkey" PRIMARY KEY ("submission_id","revision"),
    CONSTRAINT "review_steps_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "reviews"("submission_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "review_steps_decision_sha256_key" ON "review_steps"("decision_sha256");

-- Each step follows the one before it: a second writer of a revision meets the primary key, and a writer that leaves one out
-- meets this trigger.
CREATE FUNCTION "review_step_is_the_next"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."revision" <> (SELECT COALESCE(MAX("revision"), 0) + 1 FROM "review_steps" WHERE "submission_id" = NEW."submission_id") THEN
    RAISE EXCEPTION 'review %: revision % is not the next', NEW."submission_id", NEW."revision" USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "review_step_is_the_next" BEFORE INSERT ON "review_steps" FOR EACH ROW EXECUTE FUNCTION "review_step_is_the_next"();
CREATE TRIGGER "review_steps_rows_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "review_steps" FOR EACH STATEMENT EXECUTE FUNCTION "review_rows_stay"();
