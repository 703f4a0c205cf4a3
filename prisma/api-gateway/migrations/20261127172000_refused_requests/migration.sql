-- The bytes of requests that ended without a hand-off go after their retention; the rows stay.
ALTER TABLE "launch" ADD COLUMN "bytes_retired_at" TIMESTAMPTZ(3);
CREATE INDEX "launch_request_sha256_idx" ON "launch"("request_sha256");
CREATE INDEX "launch_image_sha256_idx" ON "launch"("image_sha256");

-- Files of modules may be the same bytes as a request or an image: what names them keeps them.
ALTER TABLE "module_submission" ADD COLUMN "file_digests" TEXT[] DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "module_submission_request_digest_idx" ON "module_submission"("request_digest");
CREATE INDEX "module_submission_file_digests_idx" ON "module_submission" USING GIN ("file_digests");

-- What Prisma cannot say.
CREATE INDEX "launch_bytes_due" ON "launch" ("updated_at")
  WHERE "bytes_retired_at" IS NULL AND "handoff_sha256" IS NULL AND "status" IN ('action_required', 'failed', 'expired', 'superseded');
