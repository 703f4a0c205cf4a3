-- What Prisma cannot say.

-- Finalized V4 launches and plans: what the counters of their feed are made of.
CREATE INDEX "launch_custom_finalized" ON "launch" ("family") WHERE "status" = 'finalized' AND "family" <> 'multi-role.v2';
