-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "sources" (
    "release_digest" CHAR(71) NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "address" CHAR(42) NOT NULL,
    "source_version" VARCHAR(64) NOT NULL,
    "document" JSONB NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "state" VARCHAR(16) NOT NULL DEFAULT 'starting',
    "state_reason" TEXT,
    "checkpoint_number" BIGINT,
    "checkpoint_hash" CHAR(66),
    "checkpoint_at" TIMESTAMPTZ(3),
    "finalized_head" BIGINT,
    "provisional_number" BIGINT,
    "rescan_next" BIGINT,
    "rescan_last" BIGINT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("release_digest")
);

-- CreateTable
CREATE TABLE "checkpoints" (
    "release_digest" CHAR(71) NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" CHAR(66) NOT NULL,
    "finalized" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "checkpoints_pkey" PRIMARY KEY ("release_digest","number")
);

-- CreateTable
CREATE TABLE "launches" (
    "id" BIGSERIAL NOT NULL,
    "release_digest" CHAR(71) NOT NULL,
    "sequence" BIGINT,
    "finality_stage" VARCHAR(32) NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "source_kind" VARCHAR(32) NOT NULL,
    "factory_version" VARCHAR(8),
    "source_address" CHAR(42) NOT NULL,
    "router_address" CHAR(42),
    "launch_id" CHAR(66),
    "launch_kind" INTEGER,
    "token_address" CHAR(42) NOT NULL,
    "creator" CHAR(42) NOT NULL,
    "pool_manager" CHAR(42) NOT NULL,
    "pool_id" CHAR(66) NOT NULL,
    "hook_address" CHAR(42) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "transaction_hash" CHAR(66) NOT NULL,
    "transaction_index" INTEGER NOT NULL,
    "log_index" INTEGER NOT NULL,
    "launched_at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT,
    "symbol" TEXT,
    "verification_digest" CHAR(71) NOT NULL,
    "evidence_sha256" CHAR(71) NOT NULL,
    "record" JSON NOT NULL,
    "metadata" JSON NOT NULL,
    "admitted_at" TIMESTAMPTZ(3),

    CONSTRAINT "launches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quarantine" (
    "release_digest" CHAR(71) NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "transaction_hash" CHAR(66) NOT NULL,
    "log_index" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "block_number" BIGINT NOT NULL,
    "transaction_index" INTEGER NOT NULL,
    "finalized" BOOLEAN NOT NULL DEFAULT false,
    "raw_log" JSONB NOT NULL,
    "evidence_sha256" CHAR(71),

    CONSTRAINT "quarantine_pkey" PRIMARY KEY ("release_digest","block_hash","transaction_hash","log_index")
);

-- CreateTable
CREATE TABLE "quarantine_judgements" (
    "release_digest" CHAR(71) NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "transaction_hash" CHAR(66) NOT NULL,
    "log_index" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "outcome" VARCHAR(16) NOT NULL,
    "reason" VARCHAR(64),
    "detail" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quarantine_judgements_pkey" PRIMARY KEY ("release_digest","block_hash","transaction_hash","log_index","ordinal")
);

-- CreateTable
CREATE TABLE "admission" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "last" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "admission_pkey" PRIMARY KEY ("one")
);

-- CreateIndex
CREATE INDEX "sources_chain_id_address_idx" ON "sources"("chain_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "launches_sequence_key" ON "launches"("sequence");

-- CreateIndex
CREATE INDEX "launches_creator_chain_id_idx" ON "launches"("creator", "chain_id");

-- CreateIndex
CREATE INDEX "launches_source_kind_launched_at_idx" ON "launches"("source_kind", "launched_at");

-- CreateIndex
CREATE INDEX "launches_launched_at_id_idx" ON "launches"("launched_at", "id");

-- CreateIndex
CREATE INDEX "launches_release_digest_block_number_idx" ON "launches"("release_digest", "block_number");

-- CreateIndex
CREATE UNIQUE INDEX "launches_chain_id_token_address_key" ON "launches"("chain_id", "token_address");

-- CreateIndex
CREATE UNIQUE INDEX "launches_chain_id_pool_manager_pool_id_key" ON "launches"("chain_id", "pool_manager", "pool_id");

-- CreateIndex
CREATE UNIQUE INDEX "launches_chain_id_source_address_launch_id_key" ON "launches"("chain_id", "source_address", "launch_id");

-- CreateIndex
CREATE UNIQUE INDEX "launches_chain_id_block_hash_transaction_hash_log_index_key" ON "launches"("chain_id", "block_hash", "transaction_hash", "log_index");

-- CreateIndex
CREATE INDEX "quarantine_release_digest_block_number_idx" ON "quarantine"("release_digest", "block_number");

-- AddForeignKey
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "launches" ADD CONSTRAINT "launches_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quarantine" ADD CONSTRAINT "quarantine_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quarantine_judgements" ADD CONSTRAINT "quarantine_judgements_release_digest_block_hash_transactio_fkey" FOREIGN KEY ("release_digest", "block_hash", "transaction_hash", "log_index") REFERENCES "quarantine"("release_digest", "block_hash", "transaction_hash", "log_index") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma cannot say.

INSERT INTO "admission" DEFAULT VALUES;
ALTER TABLE "admission" ADD CONSTRAINT "admission_is_one" CHECK ("one");

-- A row is admitted when its block is final, and only then has a number.
ALTER TABLE "launches" ADD CONSTRAINT "launches_admitted_when_final"
  CHECK (("sequence" IS NULL) = ("finality_stage" <> 'ethereum_finalized') AND ("sequence" IS NULL) = ("admitted_at" IS NULL));

-- What is final stays as it is: no reorganisation and no mistake takes it away.
CREATE FUNCTION "final_rows_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows of final blocks are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "final_launches_stay" BEFORE UPDATE OR DELETE ON "launches" FOR EACH ROW
  WHEN (OLD."sequence" IS NOT NULL) EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "final_quarantine_stays" BEFORE UPDATE OR DELETE ON "quarantine" FOR EACH ROW
  WHEN (OLD."finalized") EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "launches_are_not_truncated" BEFORE TRUNCATE ON "launches" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "quarantine_is_not_truncated" BEFORE TRUNCATE ON "quarantine" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- A judgement is appended; it goes with its row alone, where a provisional one is taken away.
CREATE TRIGGER "judgements_stay" BEFORE UPDATE ON "quarantine_judgements" FOR EACH ROW EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "judgements_are_not_truncated" BEFORE TRUNCATE ON "quarantine_judgements" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- A binding is never edited or removed: its document is what its digest says.
CREATE FUNCTION "bindings_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."release_digest" = OLD."release_digest" AND NEW."document" = OLD."document" THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'bindings of sources are written once' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "bindings_stay" BEFORE UPDATE OR DELETE ON "sources" FOR EACH ROW EXECUTE FUNCTION "bindings_stay"();

-- What others may read, by a role that may read nothing else. A contract: views change additively alone.
CREATE SCHEMA IF NOT EXISTS "published";

CREATE VIEW "published"."launch" AS
SELECT "sequence", "finality_stage", "transaction_index", "record", "metadata",
       "chain_id", "token_address", "creator", "source_kind", "factory_version", "source_address", "release_digest", "router_address",
       "launch_id", "launch_kind", "pool_manager", "pool_id", "hook_address", "name", "symbol", "launched_at",
       "block_number", "block_hash", "transaction_hash", "log_index", "verification_digest", "evidence_sha256"
  FROM "launches";

CREATE VIEW "published"."source" AS
SELECT "release_digest", "chain_id", "address", "source_version", "document", "status", "state", "state_reason",
       "checkpoint_number", "checkpoint_hash", "checkpoint_at", "finalized_head", "provisional_number", "updated_at"
  FROM "sources";

-- Without those that a later judgement found to be launches.
CREATE VIEW "published"."quarantine" AS
SELECT q."release_digest", q."chain_id", q."block_number", q."block_hash", q."transaction_hash", q."log_index", q."finalized",
       failed."reason", CASE WHEN latest."outcome" = 'dismissed' THEN latest."detail" END AS "dismissed_reason"
  FROM "quarantine" q
 CROSS JOIN LATERAL (SELECT j."outcome", j."detail" FROM "quarantine_judgements" j
        WHERE j."release_digest" = q."release_digest" AND j."block_hash" = q."block_hash"
          AND j."transaction_hash" = q."transaction_hash" AND j."log_index" = q."log_index"
        ORDER BY j."ordinal" DESC LIMIT 1) latest
 CROSS JOIN LATERAL (SELECT j."reason" FROM "quarantine_judgements" j
        WHERE j."release_digest" = q."release_digest" AND j."block_hash" = q."block_hash"
          AND j."transaction_hash" = q."transaction_hash" AND j."log_index" = q."log_index" AND j."outcome" = 'fail'
        ORDER BY j."ordinal" DESC LIMIT 1) failed
 WHERE latest."outcome" <> 'pass';
