-- Every decision so far is about a multi-role launch; a custody of the former release goes on writing such ones.
-- A default that is a constant writes no row: the rows stay as they were written.
-- AlterTable
ALTER TABLE "decision" ADD COLUMN "family" VARCHAR(32) NOT NULL DEFAULT 'multi-role.v2';


-- What Prisma cannot say.
ALTER TABLE "decision"
  ADD CONSTRAINT "decision_family_known" CHECK ("family" IN ('multi-role.v2', 'custom-launch.v4', 'plan.v1'));
