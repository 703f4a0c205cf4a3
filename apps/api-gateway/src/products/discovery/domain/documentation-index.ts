import { DOCUMENTATION_PATH, type DocumentationIndex, type DocumentDescriptor } from '@launch/contracts/reports';
import { GUIDE_FILES, REFERENCE_FILES } from '../../../core/downloads/published-documents.js';
import type { PublishableFile, PublishedFile, PublishedFiles } from '../../../core/downloads/published-files.js';

/** Lists the documents that the process publishes. */
export function documentationIndex(files: PublishedFiles): DocumentationIndex {
  const published = (documents: readonly PublishableFile[]): DocumentDescriptor[] =>
    documents.flatMap(({ name }) => {
      const file = files.get(name);
      return file === undefined ? [] : [describeDocument(file)];
    });
  return {
    schemaVersion: 'service.documentation-index.v1',
    guides: published(GUIDE_FILES),
    reference: published(REFERENCE_FILES),
  };
}

/** @throws TypeError for a document that does not begin with a heading. */
function describeDocument({ name, summary, mediaType, bytes, contentSha256 }: PublishedFile): DocumentDescriptor {
  const [heading = ''] = bytes.toString('utf8').split('\n', 1);
  if (!heading.startsWith('# ')) throw new TypeError(`${name} does not begin with its title`);
  return {
    title: heading.slice(2),
    summary,
    path: `${DOCUMENTATION_PATH}/${name}`,
    mediaType,
    byteLength: bytes.length,
    contentSha256,
  };
}
