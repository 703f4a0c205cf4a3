-- AlterTable
ALTER TABLE "sources" ADD COLUMN "progressed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "quarantine_judgements" ADD COLUMN "token_address" CHAR(42);

-- CreateTable
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

    CONSTRAINT "holds_pkey" PRIMARY KEY ("release_digest","block_number","transaction_hash","subject")
);

-- CreateIndex
CREATE INDEX "holds_release_digest_next_attempt_at_idx" ON "holds"("release_digest", "next_attempt_at");

-- CreateIndex
CREATE INDEX "quarantine_judgements_token_address_idx" ON "quarantine_judgements"("token_address");

-- CreateIndex
CREATE INDEX "swaps_block_time_idx" ON "swaps" USING BRIN ("block_time");

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.

ALTER TABLE "holds" ADD CONSTRAINT "holds_subject" CHECK ("subject" IN ('launches', 'trades'));
ALTER TABLE "holds" ADD CONSTRAINT "holds_cause" CHECK ("cause" IN ('operator', 'index'));

-- The retention of trades removes final ones that are old. No setting keeps trades for less than 30 days.
CREATE OR REPLACE FUNCTION "final_swaps_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (OLD."block_time" < now() - interval '30 days' OR NOT EXISTS (
    SELECT FROM "sources" s WHERE s."release_digest" = OLD."release_digest" AND s."checkpoint_number" >= OLD."block_number")) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% rows of final blocks are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Blocks and transactions that the index concludes nothing from. An empty transaction hash stands for the whole block.
CREATE VIEW "published"."hold" AS
SELECT h."release_digest", h."block_number", NULLIF(h."transaction_hash", '') AS "transaction_hash", h."subject", h."cause",
       h."reason", h."block_time", h."held_at", h."released_at", s."chain_id", s."source_version"
  FROM "holds" h JOIN "sources" s USING ("release_digest");

-- A transaction that the index itself holds is in quarantine, which is counted; it leaves nothing else in doubt.
CREATE OR REPLACE VIEW "published"."source" AS
SELECT "release_digest", "chain_id", "address", "source_version", "document", "status", "state", "state_reason",
       "checkpoint_number", "checkpoint_hash", "checkpoint_at", "finalized_head", "provisional_number", "updated_at",
       "progressed_at",
       EXISTS (SELECT FROM "holds" h WHERE h."release_digest" = "sources"."release_digest" AND h."subject" = 'launches'
                  AND (h."transaction_hash" = '' OR h."cause" = 'operator')) AS "has_holds",
       EXISTS (SELECT FROM "holds" h WHERE h."release_digest" = "sources"."release_digest" AND h."subject" = 'trades'
                  AND h."block_time" > now() - interval '24 hours') AS "lacks_trades"
  FROM "sources";

-- Logs whose last judgement is that another row has the identity of their coin.
CREATE VIEW "published"."claim" AS
SELECT j."release_digest", j."token_address"
  FROM "quarantine_judgements" j
 WHERE j."token_address" IS NOT NULL AND j."outcome" = 'fail' AND NOT EXISTS (
   SELECT FROM "quarantine_judgements" later
    WHERE later."release_digest" = j."release_digest" AND later."block_hash" = j."block_hash"
      AND later."transaction_hash" = j."transaction_hash" AND later."log_index" = j."log_index" AND later."ordinal" > j."ordinal");
