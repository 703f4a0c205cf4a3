-- CreateTable
CREATE TABLE "launch_gate" (
    "change" BIGINT NOT NULL,
    "gate" TEXT NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "set_by" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "launch_gate_pkey" PRIMARY KEY ("change")
);

-- CreateIndex
CREATE INDEX "launch_gate_gate_change_idx" ON "launch_gate"("gate", "change" DESC);


-- What Prisma cannot say.

ALTER TABLE "launch_gate"
  ADD CONSTRAINT "launch_gate_known" CHECK ("gate" IN ('publicWrites', 'publicAuthorization', 'releaseReady')),
  ADD CONSTRAINT "launch_gate_label" CHECK (char_length("set_by") BETWEEN 1 AND 128);

-- Who changed a gate stays readable.
CREATE TRIGGER "launch_gate_final" BEFORE UPDATE OR DELETE ON "launch_gate" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "launch_gate_kept" BEFORE TRUNCATE ON "launch_gate" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
