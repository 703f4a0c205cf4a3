-- What Prisma cannot say.

-- Rows that are written once are not emptied out with their table either.
CREATE TRIGGER "release_context_kept" BEFORE TRUNCATE ON "release_context" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "idempotency_record_kept" BEFORE TRUNCATE ON "idempotency_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
CREATE TRIGGER "finalized_record_kept" BEFORE TRUNCATE ON "finalized_record" FOR EACH STATEMENT EXECUTE FUNCTION "row_is_final"();
