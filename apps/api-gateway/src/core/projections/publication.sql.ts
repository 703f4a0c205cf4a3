import { statement } from '@launch/platform';
import { z } from 'zod';

export const LOCK = statement({ name: 'publication.lock', text: 'SELECT pg_advisory_xact_lock($1)' });

export const RECORD_OF = statement({
  name: 'publication.record-of',
  row: z.strictObject({ record: z.string() }),
  text: 'SELECT record FROM finalized_record WHERE launch_id = $1',
});

export const INSERT = statement({
  name: 'publication.insert',
  text: `INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, feed)
     SELECT coalesce(max(publication_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM finalized_record`,
});

export const HOLD = statement({
  name: 'publication.hold',
  text: `INSERT INTO quarantined_record (launch_id, feed, record_sha256, reason) VALUES ($1, 'custom-launch.v4', $2, $3)`,
});
