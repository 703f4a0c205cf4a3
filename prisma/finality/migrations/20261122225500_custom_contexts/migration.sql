-- CreateTable
CREATE TABLE "custom_contexts" (
    "context_hash" CHAR(66) NOT NULL,
    "document" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_contexts_pkey" PRIMARY KEY ("context_hash")
);
