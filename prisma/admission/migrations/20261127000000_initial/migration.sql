-- Source receipts, one for each launch.
CREATE TABLE "source_receipts" (
    "launch_id" UUID NOT NULL,
    "request_hash" CHAR(66) NOT NULL,
    "receipt_sha256" CHAR(71) NOT NULL,
    "disposition" VARCHAR(32) NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "source_receipts_pkey" PRIMARY KEY ("launch_id")
);

-- Wallet hand-offs whose signed transaction was simulated.
CREATE TABLE "wallet_handoffs" (
    "launch_id" UUID NOT NULL,
    "handoff_sha256" CHAR(71) NOT NULL,
    "permit_digest" CHAR(66) NOT NULL,
    "simulated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "wallet_handoffs_pkey" PRIMARY KEY ("launch_id")
);
CREATE UNIQUE INDEX "wallet_handoffs_permit_digest_key" ON "wallet_handoffs"("permit_digest");
