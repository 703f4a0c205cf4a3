-- CreateTable
CREATE TABLE "dismissed_record" (
    "launch_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "dismissed_by" TEXT NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dismissed_record_pkey" PRIMARY KEY ("launch_id")
);

-- AddForeignKey
ALTER TABLE "dismissed_record" ADD CONSTRAINT "dismissed_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "quarantined_record"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma cannot say.

-- What an operator judged stays as it was judged.
CREATE TRIGGER "dismissed_record_final" BEFORE UPDATE OR DELETE ON "dismissed_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "dismissed_record_kept" BEFORE TRUNCATE ON "dismissed_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
