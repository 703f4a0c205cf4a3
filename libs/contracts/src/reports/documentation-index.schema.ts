import { z } from 'zod';
import { sha256DigestSchema } from '../primitives/scalars.schema.js';

/** The path of the API reference, below which the guides and the reference pages are. */
export const DOCUMENTATION_PATH = '/docs';
export const DOCUMENTATION_INDEX_PATH = `${DOCUMENTATION_PATH}/index.json`;

const documentSchema = z.strictObject({
  title: z.string().min(1).max(200).describe('The first heading of the document.'),
  summary: z.string().min(1).max(200),
  path: z.string().max(256),
  mediaType: z.string().max(64),
  byteLength: z.int().positive(),
  contentSha256: sha256DigestSchema,
});

/** The documents that a deployment publishes (docs/reference/api-conventions.md#published-files). */
export const documentationIndexSchema = z
  .strictObject({
    schemaVersion: z.literal('service.documentation-index.v1'),
    guides: z.array(documentSchema).max(64),
    reference: z.array(documentSchema).max(64),
  })
  .meta({ id: 'DocumentationIndex' });
export type DocumentationIndex = z.infer<typeof documentationIndexSchema>;
export type DocumentDescriptor = z.infer<typeof documentSchema>;
