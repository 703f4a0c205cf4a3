-- Rows that are written once: no statement changes, deletes or truncates them.
CREATE FUNCTION "row_is_final"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- API keys of wallets and partners.
CREATE TABLE "credential" (
    "credential_id" TEXT NOT NULL,
    "lineage_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "scopes" TEXT[],
    "chains" TEXT[],
    "kind" TEXT NOT NULL DEFAULT 'wallet',
    "origin" TEXT NOT NULL DEFAULT 'operator',
    "controller" TEXT,
    "allowed_controllers" TEXT[] NOT NULL DEFAULT '{}',
    "label" TEXT,
    "secret_mac" BYTEA NOT NULL,
    "rotated_from" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "credential_pkey" PRIMARY KEY ("credential_id"),
    CONSTRAINT "credential_origin_known" CHECK ("origin" IN ('operator', 'sign-in', 'sign-in-modules')),
    -- A wallet's key is bound to that wallet. A partner's key is bound to a list of wallets and to no wallet of its own.
    CONSTRAINT "credential_binding" CHECK (
      ("kind" = 'wallet' AND "controller" IS NOT NULL AND cardinality("allowed_controllers") = 0) OR
      ("kind" = 'partner' AND "controller" IS NULL AND cardinality("allowed_controllers") BETWEEN 1 AND 256 AND "origin" = 'operator'))
);
CREATE UNIQUE INDEX "credential_rotated_from_key" ON "credential"("rotated_from");
CREATE UNIQUE INDEX "credential_lineage_id_generation_key" ON "credential"("lineage_id", "generation");

-- A wallet that signs in again continues its own lineage. It has a second lineage for keys of module submissions.
CREATE INDEX "credential_sign_in" ON "credential" ("controller", "generation" DESC) WHERE "origin" = 'sign-in';
CREATE INDEX "credential_sign_in_modules" ON "credential" ("controller", "generation" DESC) WHERE "origin" = 'sign-in-modules';

-- The issue of a key decides for whom it speaks. A revocation is for ever.
CREATE FUNCTION "credential_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."lineage_id", NEW."generation", NEW."kind", NEW."origin", NEW."controller", NEW."allowed_controllers", NEW."scopes", NEW."chains", NEW."secret_mac", NEW."rotated_from", NEW."created_at")
     IS DISTINCT FROM
     (OLD."lineage_id", OLD."generation", OLD."kind", OLD."origin", OLD."controller", OLD."allowed_controllers", OLD."scopes", OLD."chains", OLD."secret_mac", OLD."rotated_from", OLD."created_at") THEN
    RAISE EXCEPTION 'credential %: what was issued stays', OLD."credential_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."revoked_at" IS NOT NULL AND NEW."revoked_at" IS DISTINCT FROM OLD."revoked_at" THEN
    RAISE EXCEPTION 'credential %: it is revoked', OLD."credential_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "credential_facts_stay" BEFORE UPDATE ON "credential" FOR EACH ROW EXECUTE FUNCTION "credential_facts_stay"();

-- Nonces of wallets that sign in, each usable once.
CREATE TABLE "sign_in_nonce" (
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_nonce_pkey" PRIMARY KEY ("nonce")
);
CREATE INDEX "sign_in_nonce_expires_at_idx" ON "sign_in_nonce"("expires_at");

-- Wallets that may not sign in.
CREATE TABLE "blocked_wallet" (
    "controller" TEXT NOT NULL,
    "revoked_credential" TEXT,
    "blocked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "blocked_wallet_pkey" PRIMARY KEY ("controller"),
    CONSTRAINT "blocked_wallet_form" CHECK ("controller" ~ '^0x[0-9a-f]{40}$')
);

-- Releases that were served. Requests keep the release that they were made under for ever.
CREATE TABLE "release_context" (
    "context_hash" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "release_context_pkey" PRIMARY KEY ("context_hash")
);
CREATE TRIGGER "release_context_final" BEFORE UPDATE OR DELETE ON "release_context" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "release_context_kept" BEFORE TRUNCATE ON "release_context" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Changes of the launch gates. Every change keeps the name of the operator who made it.
CREATE TABLE "launch_gate" (
    "change" BIGINT NOT NULL,
    "gate" TEXT NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "set_by" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "launch_gate_pkey" PRIMARY KEY ("change"),
    CONSTRAINT "launch_gate_known" CHECK ("gate" IN ('publicWrites', 'publicAuthorization', 'releaseReady')),
    CONSTRAINT "launch_gate_label" CHECK (char_length("set_by") BETWEEN 1 AND 128)
);
CREATE INDEX "launch_gate_gate_change_idx" ON "launch_gate"("gate", "change" DESC);
CREATE TRIGGER "launch_gate_final" BEFORE UPDATE OR DELETE ON "launch_gate" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "launch_gate_kept" BEFORE TRUNCATE ON "launch_gate" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Launches and plans of every family.
CREATE TABLE "launch" (
    "launch_id" UUID NOT NULL,
    "family" TEXT NOT NULL,
    "lineage_id" UUID NOT NULL,
    "controller" TEXT NOT NULL,
    "router" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_sha256" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "artifact_hash" TEXT NOT NULL,
    "onchain_launch_id" TEXT NOT NULL,
    "context_hash" TEXT NOT NULL,
    "valid_after" BIGINT NOT NULL,
    "deadline" BIGINT NOT NULL,
    "image_sha256" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "status_reason" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "summary" TEXT,
    "assessment" TEXT,
    "findings" TEXT NOT NULL DEFAULT '[]',
    "handoff_sha256" TEXT,
    "handoff" TEXT,
    "finality" TEXT,
    "failure" TEXT,
    "transaction_hash" TEXT,
    "evidence_sha256" TEXT,
    "admission_started_at" TIMESTAMPTZ(3),
    "observation_started_at" TIMESTAMPTZ(3),
    "relay_after" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "bytes_retired_at" TIMESTAMPTZ(3),
    CONSTRAINT "launch_pkey" PRIMARY KEY ("launch_id"),
    CONSTRAINT "launch_context_hash_fkey" FOREIGN KEY ("context_hash") REFERENCES "release_context"("context_hash") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "launch_status_known" CHECK (CASE "family"
      WHEN 'multi-role.v2' THEN "status" IN
        ('reserved', 'admitting', 'action_required', 'authorized', 'awaiting_wallet_signature', 'submitted', 'finalized', 'failed', 'expired')
      WHEN 'custom-launch.v4' THEN "status" IN
        ('admitting', 'action_required', 'authorized', 'awaiting_wallet_signature', 'wallet_action_required', 'submitted',
         'sequencer_soft_confirmed', 'ethereum_posted', 'finalized', 'failed')
      WHEN 'plan.v1' THEN "status" IN
        ('admission_pending', 'action_required', 'awaiting_wallet', 'in_progress', 'finalizing', 'finalized', 'failed', 'expired', 'superseded')
      ELSE false END),
    CONSTRAINT "launch_window_ordered" CHECK ("valid_after" < "deadline"),
    -- The hand-off of a plan grows with its steps: the row names its blob only.
    CONSTRAINT "launch_handoff_whole" CHECK (CASE "family"
      WHEN 'plan.v1' THEN "handoff" IS NULL
      ELSE ("handoff" IS NULL) = ("handoff_sha256" IS NULL) END)
);
CREATE INDEX "launch_lineage_id_family_controller_created_at_launch_id_idx" ON "launch"("lineage_id", "family", "controller", "created_at" DESC, "launch_id");
CREATE INDEX "launch_controller_family_created_at_launch_id_idx" ON "launch"("controller", "family", "created_at" DESC, "launch_id");
CREATE INDEX "launch_status_relay_after_idx" ON "launch"("status", "relay_after");
CREATE INDEX "launch_onchain_launch_id_idx" ON "launch"("onchain_launch_id");
CREATE INDEX "launch_request_sha256_idx" ON "launch"("request_sha256");
CREATE INDEX "launch_image_sha256_idx" ON "launch"("image_sha256");

-- Launches that the relay may have to move: its sweep reads no other rows.
CREATE INDEX "launch_unfinished" ON "launch" ("relay_after")
  WHERE "status" NOT IN ('action_required', 'finalized', 'failed', 'expired', 'superseded');

-- Finalized custom launches and plans: the counters of their feed count these.
CREATE INDEX "launch_custom_finalized" ON "launch" ("family") WHERE "status" = 'finalized' AND "family" <> 'multi-role.v2';

-- Launches that ended without a hand-off: the service removes their bytes after the retention period and keeps the rows.
CREATE INDEX "launch_bytes_due" ON "launch" ("updated_at")
  WHERE "bytes_retired_at" IS NULL AND "handoff_sha256" IS NULL AND "status" IN ('action_required', 'failed', 'expired', 'superseded');

-- Facts are written once, regardless of the application: the request, a decided assessment, a published hand-off and an end
-- stay. Only a plan that ended below finality may still be superseded by another plan.
CREATE FUNCTION "launch_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."assessment" IS NOT NULL AND NEW."assessment" IS DISTINCT FROM OLD."assessment" THEN
    RAISE EXCEPTION 'launch %: the source assessment is decided', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."handoff_sha256" IS NOT NULL AND (NEW."handoff" IS DISTINCT FROM OLD."handoff" OR NEW."handoff_sha256" IS DISTINCT FROM OLD."handoff_sha256") THEN
    RAISE EXCEPTION 'launch %: the wallet hand-off is published', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."status" IN ('finalized', 'action_required', 'failed', 'expired', 'superseded') AND NEW."status" <> OLD."status"
     AND NOT (OLD."family" = 'plan.v1' AND NEW."status" = 'superseded' AND OLD."status" <> 'finalized') THEN
    RAISE EXCEPTION 'launch %: % is an end', OLD."launch_id", OLD."status" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW."family", NEW."request_sha256", NEW."request_hash", NEW."context_hash", NEW."controller", NEW."router", NEW."nonce", NEW."lineage_id", NEW."valid_after", NEW."deadline", NEW."summary", NEW."created_at")
     IS DISTINCT FROM
     (OLD."family", OLD."request_sha256", OLD."request_hash", OLD."context_hash", OLD."controller", OLD."router", OLD."nonce", OLD."lineage_id", OLD."valid_after", OLD."deadline", OLD."summary", OLD."created_at") THEN
    RAISE EXCEPTION 'launch %: what was reserved stays', OLD."launch_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "launch_facts_stay" BEFORE UPDATE ON "launch" FOR EACH ROW EXECUTE FUNCTION "launch_facts_stay"();

-- Idempotency keys and the resource that each of them reserved.
CREATE TABLE "idempotency_record" (
    "lineage_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "resource_kind" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("lineage_id","route","idempotency_key")
);
CREATE UNIQUE INDEX "idempotency_record_resource_kind_resource_id_key" ON "idempotency_record"("resource_kind", "resource_id");
CREATE TRIGGER "idempotency_record_final" BEFORE UPDATE OR DELETE ON "idempotency_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "idempotency_record_kept" BEFORE TRUNCATE ON "idempotency_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Launch nonces that are taken. Only custody's refusal of the launch removes its row.
CREATE TABLE "nonce_reservation" (
    "router" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "launch_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "nonce_reservation_pkey" PRIMARY KEY ("router","controller","nonce"),
    CONSTRAINT "nonce_reservation_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "nonce_reservation_launch_id_key" ON "nonce_reservation"("launch_id");

-- Transaction hashes that a client or the recovery named for a launch.
CREATE TABLE "transaction_hint" (
    "launch_id" UUID NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    "source" TEXT NOT NULL DEFAULT 'client',
    CONSTRAINT "transaction_hint_pkey" PRIMARY KEY ("launch_id","transaction_hash"),
    CONSTRAINT "transaction_hint_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "transaction_hint_source_known" CHECK ("source" IN ('client', 'recovery'))
);

-- The part of a plan that its request decides, beside its row in "launch".
CREATE TABLE "plan" (
    "plan_id" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "plan_digest" TEXT NOT NULL,
    "resume_url" TEXT NOT NULL,
    "predecessor_id" UUID,
    CONSTRAINT "plan_pkey" PRIMARY KEY ("plan_id"),
    CONSTRAINT "plan_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "plan_predecessor_id_fkey" FOREIGN KEY ("predecessor_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "plan_mode_known" CHECK ("mode" IN ('sequential', 'atomic')),
    CONSTRAINT "plan_predecessor_other" CHECK ("predecessor_id" <> "plan_id")
);
CREATE UNIQUE INDEX "plan_predecessor_id_key" ON "plan"("predecessor_id");
CREATE TRIGGER "plan_final" BEFORE UPDATE OR DELETE ON "plan" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "plan_kept" BEFORE TRUNCATE ON "plan" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Steps of plans.
CREATE TABLE "plan_step" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "ordinal" SMALLINT NOT NULL,
    "kind" TEXT NOT NULL,
    "depends_on" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'blocked',
    "polls" INTEGER NOT NULL DEFAULT 0,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "authorization" TEXT,
    "finality" TEXT,
    "transactions" TEXT NOT NULL DEFAULT '[]',
    "evidence_sha256" TEXT,
    CONSTRAINT "plan_step_pkey" PRIMARY KEY ("plan_id","step_id"),
    CONSTRAINT "plan_step_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("plan_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "plan_step_status_known" CHECK ("status" IN
      ('blocked', 'awaiting_signature', 'proof_received', 'included', 'ethereum_posted', 'finalized', 'reverted', 'expired')),
    CONSTRAINT "plan_step_ordinal" CHECK ("ordinal" BETWEEN 0 AND 16),
    CONSTRAINT "plan_step_offered" CHECK ("authorization" IS NOT NULL OR "status" NOT IN ('awaiting_signature', 'proof_received'))
);
CREATE UNIQUE INDEX "plan_step_plan_id_ordinal_key" ON "plan_step"("plan_id", "ordinal");

-- Facts are written once, regardless of the application: an authorization that a wallet was offered and an end stay, and an
-- older observation never replaces a newer one.
CREATE FUNCTION "plan_step_facts_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."authorization" IS NOT NULL AND NEW."authorization" IS DISTINCT FROM OLD."authorization" THEN
    RAISE EXCEPTION 'plan step % %: its authorization was offered', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."status" IN ('finalized', 'reverted', 'expired') AND NEW."status" <> OLD."status" THEN
    RAISE EXCEPTION 'plan step % %: % is an end', OLD."plan_id", OLD."step_id", OLD."status" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW."polls" < OLD."polls" THEN
    RAISE EXCEPTION 'plan step % %: a newer observation exists', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW."plan_id", NEW."step_id", NEW."ordinal", NEW."kind", NEW."depends_on")
     IS DISTINCT FROM (OLD."plan_id", OLD."step_id", OLD."ordinal", OLD."kind", OLD."depends_on") THEN
    RAISE EXCEPTION 'plan step % %: what was planned stays', OLD."plan_id", OLD."step_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "plan_step_facts_stay" BEFORE UPDATE ON "plan_step" FOR EACH ROW EXECUTE FUNCTION "plan_step_facts_stay"();

-- Transaction hashes that a client named for a step of a plan.
CREATE TABLE "step_proof" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    CONSTRAINT "step_proof_pkey" PRIMARY KEY ("plan_id","step_id","transaction_hash"),
    CONSTRAINT "step_proof_plan_id_step_id_fkey" FOREIGN KEY ("plan_id", "step_id") REFERENCES "plan_step"("plan_id", "step_id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Idempotency keys of step proofs.
CREATE TABLE "step_proof_key" (
    "plan_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "step_proof_key_pkey" PRIMARY KEY ("plan_id","step_id","idempotency_key"),
    CONSTRAINT "step_proof_key_plan_id_step_id_fkey" FOREIGN KEY ("plan_id", "step_id") REFERENCES "plan_step"("plan_id", "step_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "step_proof_key_created_at_idx" ON "step_proof_key"("created_at");

-- The public feeds of finalized launches.
CREATE TABLE "finalized_record" (
    "publication_number" BIGINT NOT NULL,
    "onchain_launch_id" TEXT NOT NULL,
    "launch_id" UUID NOT NULL,
    "record" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "image_sha256" TEXT NOT NULL,
    "image_media_type" TEXT NOT NULL,
    "feed" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "finalized_record_pkey" PRIMARY KEY ("publication_number"),
    CONSTRAINT "finalized_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "finalized_record_feed_known" CHECK ("feed" IN ('multi-role.v2', 'multi-role.v3', 'custom-launch.v4'))
);
CREATE UNIQUE INDEX "finalized_record_onchain_launch_id_key" ON "finalized_record"("onchain_launch_id");
CREATE UNIQUE INDEX "finalized_record_launch_id_key" ON "finalized_record"("launch_id");
CREATE INDEX "finalized_record_feed_publication_number_idx" ON "finalized_record"("feed", "publication_number");
CREATE TRIGGER "finalized_record_final" BEFORE UPDATE OR DELETE ON "finalized_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "finalized_record_kept" BEFORE TRUNCATE ON "finalized_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Finalized records that a feed holds back. They stay countable.
CREATE TABLE "quarantined_record" (
    "launch_id" UUID NOT NULL,
    "feed" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "quarantined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "quarantined_record_pkey" PRIMARY KEY ("launch_id"),
    CONSTRAINT "quarantined_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "launch"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE TRIGGER "quarantined_record_final" BEFORE UPDATE OR DELETE ON "quarantined_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "quarantined_record_kept" BEFORE TRUNCATE ON "quarantined_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Quarantined records that an operator dismissed. The operator's judgement stays.
CREATE TABLE "dismissed_record" (
    "launch_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "dismissed_by" TEXT NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "dismissed_record_pkey" PRIMARY KEY ("launch_id"),
    CONSTRAINT "dismissed_record_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "quarantined_record"("launch_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE TRIGGER "dismissed_record_final" BEFORE UPDATE OR DELETE ON "dismissed_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "dismissed_record_kept" BEFORE TRUNCATE ON "dismissed_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- The last report of each router's recovery.
CREATE TABLE "recovery_report" (
    "router" TEXT NOT NULL,
    "checkpoint_number" BIGINT,
    "checkpoint_hash" TEXT,
    "head_number" BIGINT,
    "observation" TEXT NOT NULL,
    "reason" TEXT,
    "reported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "recovery_report_pkey" PRIMARY KEY ("router"),
    CONSTRAINT "recovery_report_observation_known" CHECK ("observation" IN ('agreed', 'indeterminate')),
    CONSTRAINT "recovery_report_checkpoint_whole" CHECK (("checkpoint_number" IS NULL) = ("checkpoint_hash" IS NULL))
);

-- The quote of the initial buy for each release, shared by all gateways.
CREATE TABLE "initial_buy_quote" (
    "context_hash" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "quote" TEXT,
    CONSTRAINT "initial_buy_quote_pkey" PRIMARY KEY ("context_hash"),
    CONSTRAINT "initial_buy_quote_read" CHECK ("quote" IS NULL OR "read_at" IS NOT NULL)
);

-- The progress of the Ethereum feed, in one row.
CREATE TABLE "ethereum_feed" (
    "one" INTEGER NOT NULL DEFAULT 1,
    "last_sequence" BIGINT NOT NULL DEFAULT 0,
    "source_row_count" INTEGER NOT NULL DEFAULT 0,
    "published_row_count" INTEGER NOT NULL DEFAULT 0,
    "quarantined_row_count" INTEGER NOT NULL DEFAULT 0,
    "index_status" TEXT NOT NULL DEFAULT 'indeterminate',
    "read_at" TIMESTAMPTZ(3),
    CONSTRAINT "ethereum_feed_pkey" PRIMARY KEY ("one"),
    CONSTRAINT "ethereum_feed_is_one" CHECK ("one" = 1)
);
INSERT INTO "ethereum_feed" DEFAULT VALUES;

-- The public feed of launches on Ethereum.
CREATE TABLE "ethereum_record" (
    "publication_number" BIGINT NOT NULL,
    "router_launch_id" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "record_sha256" TEXT NOT NULL,
    "evidence_sha256" TEXT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "ethereum_record_pkey" PRIMARY KEY ("publication_number")
);
CREATE INDEX "ethereum_record_router_launch_id_idx" ON "ethereum_record"("router_launch_id");
CREATE UNIQUE INDEX "ethereum_record_block_hash_transaction_hash_log_index_key" ON "ethereum_record"("block_hash", "transaction_hash", "log_index");
CREATE TRIGGER "ethereum_record_final" BEFORE UPDATE OR DELETE ON "ethereum_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "ethereum_record_kept" BEFORE TRUNCATE ON "ethereum_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Launches on Ethereum that the feed holds back.
CREATE TABLE "ethereum_held_record" (
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "ethereum_held_record_pkey" PRIMARY KEY ("block_hash","transaction_hash","log_index")
);

-- Held Ethereum launches that an operator dismissed. The operator's judgement stays.
CREATE TABLE "dismissed_ethereum_record" (
    "block_hash" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "dismissed_by" TEXT NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "dismissed_ethereum_record_pkey" PRIMARY KEY ("block_hash","transaction_hash","log_index")
);
CREATE TRIGGER "dismissed_ethereum_record_final" BEFORE UPDATE OR DELETE ON "dismissed_ethereum_record" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "dismissed_ethereum_record_kept" BEFORE TRUNCATE ON "dismissed_ethereum_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();

-- Submissions of modules. The receipt stays; only the notes of the relay change. The relay returns to a started review until the
-- review ends: then "relay_after" is infinity.
CREATE TABLE "module_submission" (
    "submission_id" UUID NOT NULL,
    "author" TEXT NOT NULL,
    "reward_wallet" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "family_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "package_id" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "file_digests" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "supersedes" UUID,
    "receipt" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "relay_after" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "review_started_at" TIMESTAMPTZ(3),
    CONSTRAINT "module_submission_pkey" PRIMARY KEY ("submission_id"),
    CONSTRAINT "module_submission_supersedes_fkey" FOREIGN KEY ("supersedes") REFERENCES "module_submission"("submission_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "module_submission_supersedes_other" CHECK ("supersedes" <> "submission_id")
);
CREATE UNIQUE INDEX "module_submission_package_id_key" ON "module_submission"("package_id");
CREATE UNIQUE INDEX "module_submission_supersedes_key" ON "module_submission"("supersedes");
CREATE INDEX "module_submission_author_received_at_submission_id_idx" ON "module_submission"("author", "received_at" DESC, "submission_id");
CREATE INDEX "module_submission_request_digest_idx" ON "module_submission"("request_digest");
CREATE INDEX "module_submission_file_digests_idx" ON "module_submission" USING GIN ("file_digests");
CREATE INDEX "module_submission_due" ON "module_submission"("relay_after");
CREATE UNIQUE INDEX "module_submission_author_family_version_key" ON "module_submission"("author", "family", "version");

CREATE FUNCTION "module_submission_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'module submissions are kept' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (to_jsonb(NEW) - 'relay_after' - 'review_started_at') <> (to_jsonb(OLD) - 'relay_after' - 'review_started_at')
     OR (OLD."review_started_at" IS NOT NULL AND NEW."review_started_at" IS DISTINCT FROM OLD."review_started_at") THEN
    RAISE EXCEPTION 'module submission %: what was received stays', OLD."submission_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "module_submission_stays" BEFORE UPDATE OR DELETE ON "module_submission" FOR EACH ROW EXECUTE FUNCTION "module_submission_stays"();
CREATE TRIGGER "module_submission_kept" BEFORE TRUNCATE ON "module_submission" FOR EACH STATEMENT EXECUTE FUNCTION "module_submission_stays"();

-- The gateway's projection of each review.
CREATE TABLE "module_review" (
    "submission_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "projection" TEXT NOT NULL,
    "plan_sha256" TEXT,
    "findings_sha256" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "module_review_pkey" PRIMARY KEY ("submission_id"),
    CONSTRAINT "module_review_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "module_submission"("submission_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "module_review_state_known" CHECK ("state" IN
      ('awaiting_plan', 'queued', 'running', 'built', 'build_failed', 'changes_requested', 'rejected', 'accepted')),
    CONSTRAINT "module_review_revision" CHECK ("revision" >= 0)
);
CREATE INDEX "module_review_state_updated_at_submission_id_idx" ON "module_review"("state", "updated_at", "submission_id");

-- A review goes forward. A database restored from an older copy catches up, so the projection may leave out revisions; the
-- database of the review never does.
CREATE FUNCTION "module_review_goes_on"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."submission_id" <> OLD."submission_id" OR NEW."revision" < OLD."revision"
     OR (NEW."revision" = OLD."revision" AND NEW."state" <> OLD."state") THEN
    RAISE EXCEPTION 'module review %: % does not follow %', OLD."submission_id", NEW."revision", OLD."revision" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "module_review_goes_on" BEFORE UPDATE ON "module_review" FOR EACH ROW EXECUTE FUNCTION "module_review_goes_on"();

-- The last report on whether reviews can run, in one row.
CREATE TABLE "module_review_readiness" (
    "one" INTEGER NOT NULL DEFAULT 1,
    "document" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "module_review_readiness_pkey" PRIMARY KEY ("one"),
    CONSTRAINT "module_review_readiness_one" CHECK ("one" = 1)
);

-- Shared quotas. They need no crash safety: after a crash every bucket is full again. Each page leaves room for the next version
-- of its rows, so that a charge touches no index.
CREATE UNLOGGED TABLE "rate_bucket" (
    "bucket" TEXT NOT NULL,
    "arrival_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("bucket")
) WITH (fillfactor = 50);

-- Bounded work under way. It ends with the server that it runs beside, so no row has to outlive a crash.
CREATE UNLOGGED TABLE "work_place" (
    "owner" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(6)[],
    CONSTRAINT "work_place_pkey" PRIMARY KEY ("owner")
);

-- Rights of the review console (docs/adr/0063-reviewer-listener-and-wallet-signatures.md), where a deployment made its role
-- before this migration. Without the role the console enters as the gateway does.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'launch_review_console') THEN
    GRANT SELECT ON "credential", "module_submission", "module_review", "module_review_readiness" TO "launch_review_console";
    GRANT SELECT, INSERT, UPDATE ON "rate_bucket" TO "launch_review_console";
  END IF;
END $$;
