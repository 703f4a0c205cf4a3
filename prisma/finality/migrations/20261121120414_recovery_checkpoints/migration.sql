-- CreateTable
CREATE TABLE "recovery_checkpoints" (
    "router" CHAR(42) NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" CHAR(66) NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recovery_checkpoints_pkey" PRIMARY KEY ("router")
);

