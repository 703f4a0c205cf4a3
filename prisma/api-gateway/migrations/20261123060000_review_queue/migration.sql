-- AlterTable
ALTER TABLE "module_review" ADD COLUMN     "findings_sha256" TEXT,
ADD COLUMN     "plan_sha256" TEXT;

-- CreateIndex
CREATE INDEX "module_review_state_updated_at_submission_id_idx" ON "module_review"("state", "updated_at", "submission_id");
