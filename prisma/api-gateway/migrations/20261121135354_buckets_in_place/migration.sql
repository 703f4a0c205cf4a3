-- DropIndex
DROP INDEX "rate_bucket_arrival_at_idx";


-- What Prisma cannot say.

-- Room on each page for the next version of its rows, so that a charge touches no index.
ALTER TABLE "rate_bucket" SET (fillfactor = 50);
