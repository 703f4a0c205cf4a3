-- What public lists and their search are read by. Without these each request reads every launch.

-- A trusted extension: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Without a list of pending entries, which each search would read whole.
CREATE INDEX "launches_name_symbol_trigrams" ON "launches" USING gin ("name" gin_trgm_ops, "symbol" gin_trgm_ops) WITH (fastupdate = off);

-- Of each order and mode of a list. What the list is skipped by stands in the index.
CREATE INDEX "launches_listed" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address");
CREATE INDEX "launches_listed_custom" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address", "source_kind", "launch_kind")
  WHERE ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_listed_module" ON "launches" ("launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address", "source_kind", "launch_kind")
  WHERE NOT ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_named" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address");
CREATE INDEX "launches_named_custom" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address")
  WHERE ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_named_module" ON "launches" (lower("name"), "chain_id", "block_number", "log_index") INCLUDE ("token_address")
  WHERE NOT ("source_kind" IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND "launch_kind" IS DISTINCT FROM 2);
CREATE INDEX "launches_of_creator" ON "launches" ("creator", "launched_at", "chain_id", "block_number", "log_index") INCLUDE ("token_address");
