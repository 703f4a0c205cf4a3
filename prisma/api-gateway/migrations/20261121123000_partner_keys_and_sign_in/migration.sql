-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "allowed_controllers" TEXT[],
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'wallet',
ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'operator',
ALTER COLUMN "controller" DROP NOT NULL;

-- CreateTable
CREATE TABLE "sign_in_nonce" (
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_nonce_pkey" PRIMARY KEY ("nonce")
);

-- CreateIndex
CREATE UNIQUE INDEX "credential_rotated_from_key" ON "credential"("rotated_from");

-- CreateIndex
CREATE INDEX "sign_in_nonce_expires_at_idx" ON "sign_in_nonce"("expires_at");


-- What Prisma cannot say.

UPDATE "credential" SET "allowed_controllers" = '{}';
ALTER TABLE "credential"
  ALTER COLUMN "allowed_controllers" SET NOT NULL,
  ALTER COLUMN "allowed_controllers" SET DEFAULT '{}',
  ADD CONSTRAINT "credential_origin_known" CHECK ("origin" IN ('operator', 'sign-in')),
  -- A wallet's key is bound to that wallet; a partner's to a list, and to no wallet.
  ADD CONSTRAINT "credential_binding" CHECK (
    ("kind" = 'wallet' AND "controller" IS NOT NULL AND cardinality("allowed_controllers") = 0) OR
    ("kind" = 'partner' AND "controller" IS NULL AND cardinality("allowed_controllers") BETWEEN 1 AND 256 AND "origin" = 'operator'));

-- Signing in again continues the wallet's own lineage.
CREATE INDEX "credential_sign_in" ON "credential" ("controller", "generation" DESC) WHERE "origin" = 'sign-in';

-- Whom a key speaks for is decided when it is issued; revocation is for ever.
CREATE FUNCTION "credential_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."lineage_id", NEW."generation", NEW."kind", NEW."origin", NEW."controller", NEW."allowed_controllers", NEW."scopes", NEW."chains", NEW."secret_mac", NEW."rotated_from", NEW."created_at")
     IS DISTINCT FROM
     (OLD."lineage_id", OLD."generation", OLD."kind", OLD."origin", OLD."controller", OLD."allowed_controllers", OLD."scopes", OLD."chains", OLD."secret_mac", OLD."rotated_from", OLD."created_at") THEN
    RAISE EXCEPTION 'credential %: what was issued stays', OLD."credential_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."revoked_at" IS NOT NULL AND NEW."revoked_at" IS DISTINCT FROM OLD."revoked_at" THEN
    RAISE EXCEPTION 'credential %: it is revoked', OLD."credential_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "credential_facts_stay" BEFORE UPDATE ON "credential" FOR EACH ROW EXECUTE FUNCTION "credential_facts_stay"();
