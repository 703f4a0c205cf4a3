-- Search by trigrams. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Rows of final blocks stay: neither a reorganisation nor a mistake removes them.
CREATE FUNCTION "final_rows_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows of final blocks are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Sources that are indexed, one for each release.
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
    "progressed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "sources_pkey" PRIMARY KEY ("release_digest")
);
CREATE INDEX "sources_chain_id_address_idx" ON "sources"("chain_id", "address");

-- A binding is never edited or removed: its digest is the digest of its document.
CREATE FUNCTION "bindings_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."release_digest" = OLD."release_digest" AND NEW."document" = OLD."document" THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'bindings of sources are written once' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "bindings_stay" BEFORE UPDATE OR DELETE ON "sources" FOR EACH ROW EXECUTE FUNCTION "bindings_stay"();

-- Blocks that a source was read up to: a rollback returns to one of these.
CREATE TABLE "checkpoints" (
    "release_digest" CHAR(71) NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" CHAR(66) NOT NULL,
    "finalized" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "checkpoints_pkey" PRIMARY KEY ("release_digest","number"),
    CONSTRAINT "checkpoints_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The counter that numbers launches in the order of their admission, in one row.
CREATE TABLE "admission" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "last" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "admission_pkey" PRIMARY KEY ("one"),
    CONSTRAINT "admission_is_one" CHECK ("one")
);
INSERT INTO "admission" DEFAULT VALUES;

-- Launches of every source.
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
    CONSTRAINT "launches_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "launches_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE,
    -- A launch is admitted when its block is final. It has no number before that.
    CONSTRAINT "launches_admitted_when_final"
      CHECK (("sequence" IS NULL) = ("finality_stage" <> 'ethereum_finalized') AND ("sequence" IS NULL) = ("admitted_at" IS NULL))
);
CREATE UNIQUE INDEX "launches_sequence_key" ON "launches"("sequence");
CREATE INDEX "launches_creator_chain_id_idx" ON "launches"("creator", "chain_id");
CREATE INDEX "launches_source_kind_launched_at_idx" ON "launches"("source_kind", "launched_at");
CREATE INDEX "launches_chain_id_sequence_idx" ON "launches"("chain_id", "sequence");
CREATE INDEX "launches_source_kind_sequence_idx" ON "launches"("source_kind", "sequence");
CREATE INDEX "launches_launched_at_id_idx" ON "launches"("launched_at", "id");
CREATE INDEX "launches_release_digest_block_number_idx" ON "launches"("release_digest", "block_number");
CREATE INDEX "launches_verification_digest_idx" ON "launches"("verification_digest");
CREATE UNIQUE INDEX "launches_chain_id_token_address_key" ON "launches"("chain_id", "token_address");
CREATE UNIQUE INDEX "launches_chain_id_pool_manager_pool_id_key" ON "launches"("chain_id", "pool_manager", "pool_id");
CREATE UNIQUE INDEX "launches_chain_id_source_address_launch_id_key" ON "launches"("chain_id", "source_address", "launch_id");
CREATE UNIQUE INDEX "launches_chain_id_block_hash_transaction_hash_log_index_key" ON "launches"("chain_id", "block_hash", "transaction_hash", "log_index");

-- The search by name and symbol. Without `fastupdate`, because each search would read its list of pending entries whole.
CREATE INDEX "launches_name_symbol_trigrams" ON "launches" USING gin ("name" gin_trgm_ops, "symbol" gin_trgm_ops) WITH (fastupdate = off);

-- One index for each order and mode of the public lists. Each includes the columns that a list skips rows by.
CREATE INDEX "launches_listed" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address");
CREATE INDEX "launches_listed_custom" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address", "source_kind", "launch_kind")
  WHERE ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_listed_module" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address", "source_kind", "launch_kind")
  WHERE NOT ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_named" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address");
CREATE INDEX "launches_named_custom" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address")
  WHERE ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_named_module" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address")
  WHERE NOT ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_of_creator" ON "launches" ("creator", "launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address");

CREATE TRIGGER "final_launches_stay" BEFORE UPDATE OR DELETE ON "launches" FOR EACH ROW
  WHEN (OLD."sequence" IS NOT NULL) EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "launches_are_not_truncated" BEFORE TRUNCATE ON "launches" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- Logs that the index could not accept as launches.
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
    CONSTRAINT "quarantine_pkey" PRIMARY KEY ("release_digest","block_hash","transaction_hash","log_index"),
    CONSTRAINT "quarantine_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "quarantine_release_digest_block_number_idx" ON "quarantine"("release_digest", "block_number");
CREATE TRIGGER "final_quarantine_stays" BEFORE UPDATE OR DELETE ON "quarantine" FOR EACH ROW
  WHEN (OLD."finalized") EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "quarantine_is_not_truncated" BEFORE TRUNCATE ON "quarantine" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- Judgements of quarantined logs. A judgement is appended; only the removal of a provisional log removes it.
CREATE TABLE "quarantine_judgements" (
    "release_digest" CHAR(71) NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "transaction_hash" CHAR(66) NOT NULL,
    "log_index" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "outcome" VARCHAR(16) NOT NULL,
    "reason" VARCHAR(64),
    "detail" TEXT NOT NULL,
    "token_address" CHAR(42),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "quarantine_judgements_pkey" PRIMARY KEY ("release_digest","block_hash","transaction_hash","log_index","ordinal"),
    CONSTRAINT "quarantine_judgements_release_digest_block_hash_transactio_fkey" FOREIGN KEY ("release_digest", "block_hash", "transaction_hash", "log_index") REFERENCES "quarantine"("release_digest", "block_hash", "transaction_hash", "log_index") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "quarantine_judgements_token_address_idx" ON "quarantine_judgements"("token_address");
CREATE TRIGGER "judgements_stay" BEFORE UPDATE ON "quarantine_judgements" FOR EACH ROW EXECUTE FUNCTION "final_rows_stay"();
CREATE TRIGGER "judgements_are_not_truncated" BEFORE TRUNCATE ON "quarantine_judgements" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- Trades of indexed pools.
CREATE TABLE "swaps" (
    "id" BIGSERIAL NOT NULL,
    "release_digest" CHAR(71) NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "token_address" CHAR(42) NOT NULL,
    "pool_id" CHAR(66) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "transaction_hash" CHAR(66) NOT NULL,
    "log_index" INTEGER NOT NULL,
    "caller" CHAR(42) NOT NULL,
    "amount0" DECIMAL(39,0) NOT NULL,
    "amount1" DECIMAL(39,0) NOT NULL,
    "sqrt_price_x96" DECIMAL(49,0) NOT NULL,
    "liquidity" DECIMAL(39,0) NOT NULL,
    "tick" INTEGER NOT NULL,
    "gross_quote" DECIMAL(78,0),
    "platform_quote" DECIMAL(78,0),
    "creator_quote" DECIMAL(78,0),
    CONSTRAINT "swaps_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "swaps_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "swaps_chain_id_token_address_block_number_log_index_idx" ON "swaps"("chain_id", "token_address", "block_number", "log_index");
CREATE INDEX "swaps_chain_id_token_address_block_time_idx" ON "swaps"("chain_id", "token_address", "block_time");
CREATE INDEX "swaps_release_digest_block_number_idx" ON "swaps"("release_digest", "block_number");
CREATE INDEX "swaps_block_time_idx" ON "swaps" USING BRIN ("block_time");
CREATE UNIQUE INDEX "swaps_chain_id_block_hash_transaction_hash_log_index_key" ON "swaps"("chain_id", "block_hash", "transaction_hash", "log_index");

-- A trade never changes. A rollback removes trades of provisional blocks, and the retention removes final ones that are old: no
-- setting keeps trades for less than 30 days.
CREATE FUNCTION "final_swaps_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (OLD."block_time" < now() - interval '30 days' OR NOT EXISTS (
    SELECT FROM "sources" s WHERE s."release_digest" = OLD."release_digest" AND s."checkpoint_number" >= OLD."block_number")) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% rows of final blocks are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "final_swaps_stay" BEFORE UPDATE OR DELETE ON "swaps" FOR EACH ROW EXECUTE FUNCTION "final_swaps_stay"();
CREATE TRIGGER "swaps_are_not_truncated" BEFORE TRUNCATE ON "swaps" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- Blocks and transactions that the index concludes nothing from. An empty transaction hash means the whole block.
CREATE TABLE "holds" (
    "release_digest" CHAR(71) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "transaction_hash" VARCHAR(66) NOT NULL DEFAULT '',
    "subject" VARCHAR(16) NOT NULL,
    "cause" VARCHAR(16) NOT NULL,
    "reason" TEXT NOT NULL,
    "block_time" TIMESTAMPTZ(3),
    "held_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "released_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    CONSTRAINT "holds_pkey" PRIMARY KEY ("release_digest","block_number","transaction_hash","subject"),
    CONSTRAINT "holds_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "holds_subject" CHECK ("subject" IN ('launches', 'trades')),
    CONSTRAINT "holds_cause" CHECK ("cause" IN ('operator', 'index'))
);
CREATE INDEX "holds_release_digest_next_attempt_at_idx" ON "holds"("release_digest", "next_attempt_at");
CREATE INDEX "holds_release_digest_subject_block_time_idx" ON "holds"("release_digest", "subject", "block_time");

-- Views for other services, read by a role that may read nothing else. They are a contract: views change additively only.
CREATE SCHEMA IF NOT EXISTS "published";

CREATE VIEW "published"."launch" AS
SELECT "sequence", "finality_stage", "transaction_index", "record", "metadata",
       "chain_id", "token_address", "creator", "source_kind", "factory_version", "source_address", "release_digest", "router_address",
       "launch_id", "launch_kind", "pool_manager", "pool_id", "hook_address", "name", "symbol", "launched_at",
       "block_number", "block_hash", "transaction_hash", "log_index", "verification_digest", "evidence_sha256"
  FROM "launches";

-- A transaction that the index itself holds is counted in quarantine and leaves nothing else in doubt.
CREATE VIEW "published"."source" AS
SELECT "release_digest", "chain_id", "address", "source_version", "document", "status", "state", "state_reason",
       "checkpoint_number", "checkpoint_hash", "checkpoint_at", "finalized_head", "provisional_number", "updated_at",
       "progressed_at",
       EXISTS (SELECT FROM "holds" h WHERE h."release_digest" = "sources"."release_digest" AND h."subject" = 'launches'
                  AND (h."transaction_hash" = '' OR h."cause" = 'operator')) AS "has_holds",
       EXISTS (SELECT FROM "holds" h WHERE h."release_digest" = "sources"."release_digest" AND h."subject" = 'trades'
                  AND h."block_time" > now() - interval '24 hours') AS "lacks_trades"
  FROM "sources";

-- Without the logs that a later judgement found to be launches.
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

-- Logs whose last judgement is that another row has the identity of their coin.
CREATE VIEW "published"."claim" AS
SELECT j."release_digest", j."token_address"
  FROM "quarantine_judgements" j
 WHERE j."token_address" IS NOT NULL AND j."outcome" = 'fail' AND NOT EXISTS (
   SELECT FROM "quarantine_judgements" later
    WHERE later."release_digest" = j."release_digest" AND later."block_hash" = j."block_hash"
      AND later."transaction_hash" = j."transaction_hash" AND later."log_index" = j."log_index" AND later."ordinal" > j."ordinal");

-- The amount of a trade includes its fees where the hook reported them; otherwise it is the amount that the pool moved.
CREATE VIEW "published"."swap" AS
SELECT w."chain_id", w."token_address", w."pool_id", w."block_number", w."block_hash", w."block_time", w."transaction_hash", w."log_index", w."caller",
       w."amount0", w."amount1", w."sqrt_price_x96", w."liquidity", w."tick", w."gross_quote", w."platform_quote", w."creator_quote",
       COALESCE(w."gross_quote", abs(w."amount0")) AS "quote_wei", w."release_digest",
       COALESCE(w."block_number" <= s."checkpoint_number", false) AS "is_final"
  FROM "swaps" w JOIN "sources" s USING ("release_digest");

CREATE VIEW "published"."hold" AS
SELECT h."release_digest", h."block_number", NULLIF(h."transaction_hash", '') AS "transaction_hash", h."subject", h."cause",
       h."reason", h."block_time", h."held_at", h."released_at", s."chain_id", s."source_version"
  FROM "holds" h JOIN "sources" s USING ("release_digest");
