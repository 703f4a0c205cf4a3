-- Rows are written once: the owner of the tables has no right to change them, and this function stops a superuser too.
CREATE FUNCTION "custody_rows_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- The one decision about each launch: a permit digest or a refusal.
CREATE TABLE "decision" (
    "launch_id" UUID NOT NULL,
    "family" VARCHAR(32) NOT NULL,
    "kind" VARCHAR(8) NOT NULL,
    "request_sha256" CHAR(71) NOT NULL,
    "request_hash" CHAR(66) NOT NULL,
    "router" CHAR(42) NOT NULL,
    "controller" CHAR(42) NOT NULL,
    "nonce" VARCHAR(78) NOT NULL,
    "document" TEXT NOT NULL,
    "permit_digest" CHAR(66),
    "taken_nonce" VARCHAR(164),
    "taken_request" CHAR(66),
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "decision_pkey" PRIMARY KEY ("launch_id"),
    CONSTRAINT "decision_family_known" CHECK ("family" IN ('multi-role.v2', 'custom-launch.v4', 'plan.v1')),
    CONSTRAINT "decision_forms" CHECK (
      "request_sha256" ~ '^sha256:[0-9a-f]{64}$' AND "request_hash" ~ '^0x[0-9a-f]{64}$' AND "router" ~ '^0x[0-9a-f]{40}$'
      AND "controller" ~ '^0x[0-9a-f]{40}$' AND "nonce" ~ '^(0|[1-9][0-9]{0,77})$'),
    -- A digest takes the nonce and the request. A refusal takes neither and has no digest.
    CONSTRAINT "decision_whole" CHECK (CASE "kind"
      WHEN 'digest' THEN "permit_digest" IS NOT NULL AND "permit_digest" ~ '^0x[0-9a-f]{64}$'
        AND "taken_nonce" IS NOT NULL AND "taken_nonce" = "router" || '/' || "controller" || '/' || "nonce"
        AND "taken_request" IS NOT NULL AND "taken_request" = "request_hash"
      WHEN 'refusal' THEN "permit_digest" IS NULL AND "taken_nonce" IS NULL AND "taken_request" IS NULL
      ELSE false END)
);
CREATE UNIQUE INDEX "decision_permit_digest_key" ON "decision"("permit_digest");
CREATE UNIQUE INDEX "decision_taken_nonce_key" ON "decision"("taken_nonce");
CREATE UNIQUE INDEX "decision_taken_request_key" ON "decision"("taken_request");
CREATE TRIGGER "decision_rows_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "decision" FOR EACH STATEMENT EXECUTE FUNCTION "custody_rows_stay"();
REVOKE UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON "decision" FROM CURRENT_USER;
REVOKE ALL ON "decision" FROM PUBLIC;

-- The signature of each committed digest.
CREATE TABLE "permit_signature" (
    "launch_id" UUID NOT NULL,
    "permit_digest" CHAR(66) NOT NULL,
    "signer" CHAR(42) NOT NULL,
    "signature" CHAR(132) NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "permit_signature_pkey" PRIMARY KEY ("launch_id"),
    CONSTRAINT "permit_signature_forms" CHECK (
      "permit_digest" ~ '^0x[0-9a-f]{64}$' AND "signer" ~ '^0x[0-9a-f]{40}$' AND "signature" ~ '^0x[0-9a-f]{130}$')
);
CREATE UNIQUE INDEX "permit_signature_permit_digest_key" ON "permit_signature"("permit_digest");

-- A signature belongs to the digest that was committed for its launch. A foreign key would lock the row that it names, which
-- takes the right to UPDATE that no role has here. Decisions never change, so a trigger that reads them suffices.
CREATE FUNCTION "permit_signature_of_a_digest"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "decision" d WHERE d."launch_id" = NEW."launch_id" AND d."permit_digest" = NEW."permit_digest") THEN
    RAISE EXCEPTION 'launch %: no such permit digest was committed', NEW."launch_id" USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "permit_signature_of_a_digest" BEFORE INSERT ON "permit_signature" FOR EACH ROW EXECUTE FUNCTION "permit_signature_of_a_digest"();
CREATE TRIGGER "permit_signature_rows_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "permit_signature" FOR EACH STATEMENT EXECUTE FUNCTION "custody_rows_stay"();
REVOKE UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON "permit_signature" FROM CURRENT_USER;
REVOKE ALL ON "permit_signature" FROM PUBLIC;
