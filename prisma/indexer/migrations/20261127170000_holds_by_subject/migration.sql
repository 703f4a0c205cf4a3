-- CreateIndex
CREATE INDEX "holds_release_digest_subject_block_time_idx" ON "holds"("release_digest", "subject", "block_time");
