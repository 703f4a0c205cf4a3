-- CreateTable
CREATE TABLE "initial_buy_quote" (
    "context_hash" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "quote" TEXT,

    CONSTRAINT "initial_buy_quote_pkey" PRIMARY KEY ("context_hash")
);


-- What Prisma cannot say.

ALTER TABLE "initial_buy_quote" ADD CONSTRAINT "initial_buy_quote_read" CHECK ("quote" IS NULL OR "read_at" IS NOT NULL);
