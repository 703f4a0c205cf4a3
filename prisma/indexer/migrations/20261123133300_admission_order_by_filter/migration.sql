-- A list of few launches among many is read in the order of admission: of a chain, of a source kind.
CREATE INDEX "launches_chain_id_sequence_idx" ON "launches"("chain_id", "sequence");
CREATE INDEX "launches_source_kind_sequence_idx" ON "launches"("source_kind", "sequence");
