-- AlterTable
ALTER TABLE "launch" ADD COLUMN     "evidence_sha256" TEXT;
