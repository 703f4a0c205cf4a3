import { type Capabilities, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { PUBLISHABLE_FILES, type PublishedFiles } from '../../../core/downloads/published-files.js';

type Documentation = Capabilities['documentation'];

/** The path, media type and digest of every published file (docs/reference/api-conventions.md#published-files). */
export function documentationOf(files: PublishedFiles): Documentation {
  const described = PUBLISHABLE_FILES.flatMap(({ name }) => files.get(name) ?? []).map(
    ({ name, entry, mediaType, contentSha256 }) =>
      [entry, { path: `${MULTI_ROLE_BASE_PATH}/${name}`, mediaType, contentSha256 }] as const,
  );
  const documentation = Object.fromEntries(described);
  const { packer, reference, buildManifest } = documentation;
  if (packer === undefined || reference === undefined || buildManifest === undefined) return documentation;
  return { ...documentation, requestPackaging: { status: 'published', packer, reference, buildManifest } };
}
