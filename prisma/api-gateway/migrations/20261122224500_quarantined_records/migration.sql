-- CreateTable
CREATE TABLE "quarantined_record" (
    "launch_id" UUID NOT NULL,
    "feed" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "quarantined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quarantined_record_pkey" PRIMARY KEY ("launch_id")
);

-- AddForeignKey
ALTER TABLE "quarantined_record" ADD CONSTRAINT "quarantined_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma cannot say.

-- What was held back stays countable.
CREATE TRIGGER "quarantined_record_final" BEFORE UPDATE OR DELETE ON "quarantined_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "quarantined_record_kept" BEFORE TRUNCATE ON "quarantined_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
