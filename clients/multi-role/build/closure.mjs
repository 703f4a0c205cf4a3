import { createHash } from 'node:crypto';

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * Names every source of a compiler input by digest, licence and package, with the notices that travel with copies.
 * @param {Record<string, {content: string}>} sources of the Standard JSON input
 * @param {{sources: object[], notices: object[]}} notices the notices from the same compilation
 */
export function closureOf(sources, notices) {
  const declared = new Map(notices.sources.map((source) => [source.path, source]));
  return {
    sources: Object.entries(sources).map(([path, { content }]) => ({
      path,
      byteLength: Buffer.byteLength(content),
      sha256: sha256(content),
      license: declared.get(path).license,
      package: declared.get(path).package,
    })),
    notices: notices.notices,
  };
}
