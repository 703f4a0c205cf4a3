-- CreateTable
CREATE TABLE "blocked_wallet" (
    "controller" TEXT NOT NULL,
    "revoked_credential" TEXT,
    "blocked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocked_wallet_pkey" PRIMARY KEY ("controller")
);


-- What Prisma cannot say.

ALTER TABLE "blocked_wallet" ADD CONSTRAINT "blocked_wallet_form" CHECK ("controller" ~ '^0x[0-9a-f]{40}$');

-- Until now a wallet was refused whose last key by signing in was revoked. It stays refused.
INSERT INTO "blocked_wallet" ("controller", "revoked_credential", "blocked_at")
SELECT "controller", "credential_id", "revoked_at" FROM (
  SELECT DISTINCT ON ("controller") "controller", "credential_id", "revoked_at" FROM "credential"
  WHERE "origin" = 'sign-in' ORDER BY "controller", "generation" DESC
) last WHERE "revoked_at" IS NOT NULL;
