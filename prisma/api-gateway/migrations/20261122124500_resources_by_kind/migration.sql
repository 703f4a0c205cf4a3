-- A key names what it reserved by kind and id, so that whatever the gateway reserves later is bound by the same table.
ALTER TABLE "idempotency_record"
  ADD COLUMN "resource_kind" TEXT NOT NULL DEFAULT 'multi-role-launch',
  ADD COLUMN "resource_id" UUID;

-- What Prisma cannot say.

-- Rows are written once, so they are rewritten with their column and not updated.
ALTER TABLE "idempotency_record" ALTER COLUMN "resource_id" TYPE UUID USING "launch_id";

-- AlterTable
ALTER TABLE "idempotency_record" ALTER COLUMN "resource_id" SET NOT NULL, ALTER COLUMN "launch_id" DROP NOT NULL;

-- DropIndex
DROP INDEX "idempotency_record_launch_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_record_resource_kind_resource_id_key" ON "idempotency_record"("resource_kind", "resource_id");

-- Gateways of the release before write and read "launch_id" while they drain: each side finds what the other wrote. The
-- column, the default and this function go when no such gateway is left.
CREATE FUNCTION "resource_is_named"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."resource_id" := coalesce(NEW."resource_id", NEW."launch_id");
  IF NEW."resource_kind" = 'multi-role-launch' THEN NEW."launch_id" := NEW."resource_id"; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "idempotency_record_named" BEFORE INSERT ON "idempotency_record" FOR EACH ROW EXECUTE FUNCTION "resource_is_named"();
