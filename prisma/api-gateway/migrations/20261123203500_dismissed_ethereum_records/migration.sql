-- CreateTable
CREATE TABLE "dismissed_ethereum_record" (
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "dismissed_by" TEXT NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dismissed_ethereum_record_pkey" PRIMARY KEY ("block_hash","transaction_hash","log_index")
);


-- What Prisma cannot say.

-- What an operator judged stays as it was judged.
CREATE TRIGGER "dismissed_ethereum_record_final" BEFORE UPDATE OR DELETE ON "dismissed_ethereum_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "dismissed_ethereum_record_kept" BEFORE TRUNCATE ON "dismissed_ethereum_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
