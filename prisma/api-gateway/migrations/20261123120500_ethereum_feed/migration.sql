-- CreateTable
CREATE TABLE "ethereum_record" (
    "publication_number" BIGINT NOT NULL,
    "router_launch_id" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "evidence_sha256" TEXT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ethereum_record_pkey" PRIMARY KEY ("publication_number")
);

-- CreateTable
CREATE TABLE "ethereum_held_record" (
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ethereum_held_record_pkey" PRIMARY KEY ("block_hash","transaction_hash","log_index")
);

-- CreateTable
CREATE TABLE "ethereum_feed" (
    "one" INTEGER NOT NULL DEFAULT 1,
    "last_sequence" BIGINT NOT NULL DEFAULT 0,
    "source_row_count" INTEGER NOT NULL DEFAULT 0,
    "published_row_count" INTEGER NOT NULL DEFAULT 0,
    "quarantined_row_count" INTEGER NOT NULL DEFAULT 0,
    "index_status" TEXT NOT NULL DEFAULT 'indeterminate',
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "ethereum_feed_pkey" PRIMARY KEY ("one")
);

-- CreateIndex
CREATE INDEX "ethereum_record_router_launch_id_idx" ON "ethereum_record"("router_launch_id");

-- CreateIndex
CREATE UNIQUE INDEX "ethereum_record_block_hash_transaction_hash_log_index_key" ON "ethereum_record"("block_hash", "transaction_hash", "log_index");


-- What Prisma cannot say.

INSERT INTO "ethereum_feed" DEFAULT VALUES;
ALTER TABLE "ethereum_feed" ADD CONSTRAINT "ethereum_feed_is_one" CHECK ("one" = 1);

-- What was published stays as it is.
CREATE TRIGGER "ethereum_record_final" BEFORE UPDATE OR DELETE ON "ethereum_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "ethereum_record_kept" BEFORE TRUNCATE ON "ethereum_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
