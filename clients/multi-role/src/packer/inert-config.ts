import {
  INERT_PACK_CONFIG_SCHEMA,
  packerReferenceSchema,
  type InertPackConfig,
  type ReferenceCase,
} from '@launch/contracts/multi-role';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';

/**
 * Returns one case of the published reference as an inert configuration: complete except for live values, which the reference
 * builder fills in.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_REFERENCE_INVALID`.
 */
export function inertConfigOf(referenceBytes: Uint8Array, chosen: ReferenceCase): InertPackConfig {
  const parsed = parseDocument(referenceBytes, 'MULTI_ROLE_PACK_REFERENCE_INVALID');
  const reference = validateDocument(packerReferenceSchema, parsed, 'MULTI_ROLE_PACK_REFERENCE_INVALID');
  const { project, compiler, source, projectMetadata, cases } = reference;
  return {
    schemaVersion: INERT_PACK_CONFIG_SCHEMA,
    case: chosen,
    project,
    compiler,
    source,
    projectMetadata,
    funding: cases[chosen],
  };
}

export const referenceTooLarge = (): PackError =>
  new PackError('MULTI_ROLE_PACK_REFERENCE_INVALID', [
    { path: '', message: 'is larger than the published file can be' },
  ]);
