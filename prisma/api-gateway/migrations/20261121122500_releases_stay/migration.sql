-- A release that was served is never edited and never forgotten: requests made under it keep it for ever.
CREATE TRIGGER "release_context_final" BEFORE UPDATE OR DELETE ON "release_context" FOR EACH ROW EXECUTE FUNCTION "row_is_final"();
