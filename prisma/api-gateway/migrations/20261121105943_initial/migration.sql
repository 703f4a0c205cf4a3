-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "credential" (
    "credential_id" TEXT NOT NULL,
    "lineage_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "scopes" TEXT[],
    "chains" TEXT[],
    "controller" TEXT NOT NULL,
    "label" TEXT,
    "secret_mac" BYTEA NOT NULL,
    "rotated_from" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "credential_pkey" PRIMARY KEY ("credential_id")
);

-- CreateTable
CREATE TABLE "release_context" (
    "context_hash" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "release_context_pkey" PRIMARY KEY ("context_hash")
);

-- CreateTable
CREATE TABLE "launch" (
    "launch_id" UUID NOT NULL,
    "lineage_id" UUID NOT NULL,
    "controller" TEXT NOT NULL,
    "router" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_sha256" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "artifact_hash" TEXT NOT NULL,
    "onchain_launch_id" TEXT NOT NULL,
    "context_hash" TEXT NOT NULL,
    "valid_after" BIGINT NOT NULL,
    "deadline" BIGINT NOT NULL,
    "image_sha256" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "status_reason" TEXT,
    "assessment" TEXT,
    "findings" TEXT NOT NULL DEFAULT '[]',
    "handoff_sha256" TEXT,
    "handoff" TEXT,
    "finality" TEXT,
    "transaction_hash" TEXT,
    "admission_started_at" TIMESTAMPTZ(3),
    "observation_started_at" TIMESTAMPTZ(3),
    "relay_after" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "launch_pkey" PRIMARY KEY ("launch_id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "lineage_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "launch_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("lineage_id","route","idempotency_key")
);

-- CreateTable
CREATE TABLE "nonce_reservation" (
    "router" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "launch_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "nonce_reservation_pkey" PRIMARY KEY ("router","controller","nonce")
);

-- CreateTable
CREATE TABLE "transaction_hint" (
    "launch_id" UUID NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "transaction_hint_pkey" PRIMARY KEY ("launch_id","transaction_hash")
);

-- CreateTable
CREATE TABLE "finalized_record" (
    "publication_number" BIGINT NOT NULL,
    "onchain_launch_id" TEXT NOT NULL,
    "launch_id" UUID NOT NULL,
    "record" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "image_sha256" TEXT NOT NULL,
    "image_media_type" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "finalized_record_pkey" PRIMARY KEY ("publication_number")
);

-- CreateTable
CREATE TABLE "rate_bucket" (
    "bucket" TEXT NOT NULL,
    "arrival_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("bucket")
);

-- CreateIndex
CREATE UNIQUE INDEX "credential_lineage_id_generation_key" ON "credential"("lineage_id", "generation");

-- CreateIndex
CREATE INDEX "launch_lineage_id_controller_created_at_launch_id_idx" ON "launch"("lineage_id", "controller", "created_at" DESC, "launch_id");

-- CreateIndex
CREATE INDEX "launch_status_relay_after_idx" ON "launch"("status", "relay_after");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_record_launch_id_key" ON "idempotency_record"("launch_id");

-- CreateIndex
CREATE UNIQUE INDEX "nonce_reservation_launch_id_key" ON "nonce_reservation"("launch_id");

-- CreateIndex
CREATE UNIQUE INDEX "finalized_record_onchain_launch_id_key" ON "finalized_record"("onchain_launch_id");

-- CreateIndex
CREATE UNIQUE INDEX "finalized_record_launch_id_key" ON "finalized_record"("launch_id");

-- CreateIndex
CREATE INDEX "rate_bucket_arrival_at_idx" ON "rate_bucket"("arrival_at");

-- AddForeignKey
ALTER TABLE "launch" ADD CONSTRAINT "launch_context_hash_fkey" FOREIGN KEY ("context_hash") REFERENCES "release_context"("context_hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "nonce_reservation" ADD CONSTRAINT "nonce_reservation_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction_hint" ADD CONSTRAINT "transaction_hint_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finalized_record" ADD CONSTRAINT "finalized_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma cannot say.

-- Quotas need no crash safety: after a crash every bucket is simply full again.
ALTER TABLE "rate_bucket" SET UNLOGGED;

ALTER TABLE "launch"
  ADD CONSTRAINT "launch_status_known" CHECK ("status" IN
    ('reserved', 'admitting', 'action_required', 'authorized', 'awaiting_wallet_signature', 'submitted', 'finalized', 'failed', 'expired')),
  ADD CONSTRAINT "launch_window_ordered" CHECK ("valid_after" < "deadline"),
  ADD CONSTRAINT "launch_handoff_whole" CHECK (("handoff" IS NULL) = ("handoff_sha256" IS NULL));

-- Launches that the relay may have to move: the only rows its sweep reads.
CREATE INDEX "launch_unfinished" ON "launch" ("relay_after")
  WHERE "status" IN ('reserved', 'admitting', 'authorized', 'awaiting_wallet_signature', 'submitted');

-- Facts are written once, whatever the code above does: a decided assessment, a published hand-off and an end stay.
CREATE FUNCTION "launch_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."assessment" IS NOT NULL AND NEW."assessment" IS DISTINCT FROM OLD."assessment" THEN
    RAISE EXCEPTION 'launch %: the source assessment is decided', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."handoff" IS NOT NULL AND (NEW."handoff" IS DISTINCT FROM OLD."handoff" OR NEW."handoff_sha256" IS DISTINCT FROM OLD."handoff_sha256") THEN
    RAISE EXCEPTION 'launch %: the wallet hand-off is published', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."status" IN ('finalized', 'action_required', 'failed', 'expired') AND NEW."status" <> OLD."status" THEN
    RAISE EXCEPTION 'launch %: % is an end', OLD."launch_id", OLD."status" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW."request_sha256", NEW."request_hash", NEW."context_hash", NEW."controller", NEW."router", NEW."nonce", NEW."lineage_id", NEW."valid_after", NEW."deadline", NEW."created_at")
     IS DISTINCT FROM
     (OLD."request_sha256", OLD."request_hash", OLD."context_hash", OLD."controller", OLD."router", OLD."nonce", OLD."lineage_id", OLD."valid_after", OLD."deadline", OLD."created_at") THEN
    RAISE EXCEPTION 'launch %: what was reserved stays', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "launch_facts_stay" BEFORE UPDATE ON "launch" FOR EACH ROW EXECUTE FUNCTION "launch_facts_stay"();

-- Bindings of keys and published records are never edited.
CREATE FUNCTION "row_is_final"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "idempotency_record_final" BEFORE UPDATE OR DELETE ON "idempotency_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "finalized_record_final" BEFORE UPDATE OR DELETE ON "finalized_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
