-- CreateTable
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

    CONSTRAINT "swaps_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "swaps_chain_id_block_hash_transaction_hash_log_index_key" ON "swaps"("chain_id", "block_hash", "transaction_hash", "log_index");

-- CreateIndex
CREATE INDEX "swaps_chain_id_token_address_block_number_log_index_idx" ON "swaps"("chain_id", "token_address", "block_number", "log_index");

-- CreateIndex
CREATE INDEX "swaps_chain_id_token_address_block_time_idx" ON "swaps"("chain_id", "token_address", "block_time");

-- CreateIndex
CREATE INDEX "swaps_release_digest_block_number_idx" ON "swaps"("release_digest", "block_number");

-- AddForeignKey
ALTER TABLE "swaps" ADD CONSTRAINT "swaps_release_digest_fkey" FOREIGN KEY ("release_digest") REFERENCES "sources"("release_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.

-- A trade of a final block stays; one above goes with its block, and none is ever changed.
CREATE FUNCTION "final_swaps_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT FROM "sources" s WHERE s."release_digest" = OLD."release_digest" AND s."checkpoint_number" >= OLD."block_number") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% rows of final blocks are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "final_swaps_stay" BEFORE UPDATE OR DELETE ON "swaps" FOR EACH ROW EXECUTE FUNCTION "final_swaps_stay"();
CREATE TRIGGER "swaps_are_not_truncated" BEFORE TRUNCATE ON "swaps" FOR EACH STATEMENT EXECUTE FUNCTION "final_rows_stay"();

-- What was traded for: with its fees where the hook said so, else what the pool itself moved.
CREATE VIEW "published"."swap" AS
SELECT w."chain_id", w."token_address", w."pool_id", w."block_number", w."block_hash", w."block_time", w."transaction_hash", w."log_index", w."caller",
       w."amount0", w."amount1", w."sqrt_price_x96", w."liquidity", w."tick", w."gross_quote", w."platform_quote", w."creator_quote",
       COALESCE(w."gross_quote", abs(w."amount0")) AS "quote_wei", w."release_digest",
       COALESCE(w."block_number" <= s."checkpoint_number", false) AS "is_final"
  FROM "swaps" w JOIN "sources" s USING ("release_digest");
