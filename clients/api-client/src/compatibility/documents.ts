import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenApiDocument } from './openapi.js';

const repository = path.resolve(import.meta.dirname, '../../../..');

/** Written from the gateway's declared routes by `npm run generate`; not committed. */
export const GENERATED_DOCUMENT = path.join(repository, 'apps/api-gateway/generated/openapi.json');
/** The committed document, which clients may rely on. */
export const PUBLISHED_DOCUMENT = path.join(repository, 'docs/api/openapi.json');

export const readDocument = (file: string): OpenApiDocument =>
  JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;

/** Serialises with one member a line, so that a review shows each change. */
export const publishedForm = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;
