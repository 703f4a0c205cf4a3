-- CreateTable
CREATE TABLE "plan" (
    "plan_id" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "plan_digest" TEXT NOT NULL,
    "resume_url" TEXT NOT NULL,
    "predecessor_id" UUID,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("plan_id")
);

-- CreateTable
CREATE TABLE "plan_step" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "ordinal" SMALLINT NOT NULL,
    "kind" TEXT NOT NULL,
    "depends_on" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'blocked',
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "authorization" TEXT,
    "finality" TEXT,
    "transactions" TEXT NOT NULL DEFAULT '[]',
    "evidence_sha256" TEXT,

    CONSTRAINT "plan_step_pkey" PRIMARY KEY ("plan_id","step_id")
);

-- CreateTable
CREATE TABLE "step_proof" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "step_proof_pkey" PRIMARY KEY ("plan_id","step_id","transaction_hash")
);

-- CreateTable
CREATE TABLE "step_proof_key" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "step_proof_key_pkey" PRIMARY KEY ("plan_id","step_id","idempotency_key")
);

-- CreateIndex
CREATE UNIQUE INDEX "plan_predecessor_id_key" ON "plan"("predecessor_id");

-- CreateIndex
CREATE UNIQUE INDEX "plan_step_plan_id_ordinal_key" ON "plan_step"("plan_id", "ordinal");

-- CreateIndex
CREATE INDEX "step_proof_key_created_at_idx" ON "step_proof_key"("created_at");

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_predecessor_id_fkey" FOREIGN KEY ("predecessor_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_step" ADD CONSTRAINT "plan_step_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("plan_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_proof" ADD CONSTRAINT "step_proof_plan_id_step_id_fkey" FOREIGN KEY ("plan_id", "step_id") REFERENCES "plan_step"("plan_id", "step_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_proof_key" ADD CONSTRAINT "step_proof_key_plan_id_step_id_fkey" FOREIGN KEY ("plan_id", "step_id") REFERENCES "plan_step"("plan_id", "step_id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma cannot say.

ALTER TABLE "plan"
  ADD CONSTRAINT "plan_mode_known" CHECK ("mode" IN ('sequential', 'atomic')),
  ADD CONSTRAINT "plan_predecessor_other" CHECK ("predecessor_id" <> "plan_id");

ALTER TABLE "plan_step"
  ADD CONSTRAINT "plan_step_status_known" CHECK ("status" IN
    ('blocked', 'awaiting_signature', 'proof_received', 'included', 'ethereum_posted', 'finalized', 'reverted', 'expired')),
  ADD CONSTRAINT "plan_step_ordinal" CHECK ("ordinal" BETWEEN 0 AND 16),
  ADD CONSTRAINT "plan_step_offered" CHECK ("authorization" IS NOT NULL OR "status" NOT IN ('awaiting_signature', 'proof_received'));

CREATE TRIGGER "plan_final" BEFORE UPDATE OR DELETE ON "plan" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "plan_kept" BEFORE TRUNCATE ON "plan" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Facts are written once, whatever the code above does: what a wallet was offered and an end stay, and no older look returns.
CREATE FUNCTION "plan_step_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."authorization" IS NOT NULL AND NEW."authorization" IS DISTINCT FROM OLD."authorization" THEN
    RAISE EXCEPTION 'plan step % %: its authorization was offered', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."status" IN ('finalized', 'reverted', 'expired') AND NEW."status" <> OLD."status" THEN
    RAISE EXCEPTION 'plan step % %: % is an end', OLD."plan_id", OLD."step_id", OLD."status" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW."sequence" < OLD."sequence" THEN
    RAISE EXCEPTION 'plan step % %: a newer look stands', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW."plan_id", NEW."step_id", NEW."ordinal", NEW."kind", NEW."depends_on")
     IS DISTINCT FROM (OLD."plan_id", OLD."step_id", OLD."ordinal", OLD."kind", OLD."depends_on") THEN
    RAISE EXCEPTION 'plan step % %: what was planned stays', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "plan_step_facts_stay" BEFORE UPDATE ON "plan_step" FOR EACH ROW EXECUTE FUNCTION "plan_step_facts_stay"();
