import { finding, type Finding } from '@launch/contracts/errors';
import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import type { JudgedRequest, ManifestEntry } from '@launch/contracts/launch';
import { canonicalSha256, decodeBase64, keccak256Hex, LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { hexToBytes } from 'viem/utils';

const encoder = new TextEncoder();

/** Compares paths by their UTF-8 bytes, whose order differs from that of UTF-16 code units. */
export function compareUtf8(a: string, b: string): number {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

type Units = readonly { readonly standardJsonInputBase64: string }[];

export type SourceCollection =
  | { readonly ok: true; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly ok: false; readonly findings: Finding[] };

/**
 * Collects every source of the Standard JSON inputs and every additional file, by path. Two units may have the same
 * path only with the same bytes.
 */
export function collectSources(
  units: Units,
  additionalFiles: JudgedRequest['source']['additionalFiles'],
  unitsPath: string,
): SourceCollection {
  const files = new Map<string, Uint8Array>();
  const findings: Finding[] = [];
  const add = (path: string, bytes: Uint8Array, where: string): void => {
    const known = files.get(path);
    if (known !== undefined && sha256Digest(known) !== sha256Digest(bytes)) {
      findings.push(finding('SOURCE_MANIFEST_MISMATCH', where, { expected: 'one content for each path' }));
    } else {
      files.set(path, bytes);
    }
  };
  units.forEach((unit, index) => {
    const where = `${unitsPath}/${index}/standardJsonInputBase64`;
    let input: unknown;
    try {
      input = parseStrictJson(decodeBase64(unit.standardJsonInputBase64));
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      findings.push(finding('COMPILER_INPUT_INVALID', where, { expected: 'strict JSON', actual: error.code }));
      return;
    }
    const sources = (input as { sources?: unknown } | null)?.sources;
    if (typeof sources !== 'object' || sources === null || Array.isArray(sources)) {
      findings.push(finding('COMPILER_INPUT_INVALID', where, { expected: 'an object of sources' }));
      return;
    }
    const entries = Object.entries(sources);
    if (entries.length > LIMITS.sourceFiles) {
      // No manifest can list so many files, and hashing them would exceed the caller's timeout.
      findings.push(
        finding('SOURCE_MANIFEST_MISMATCH', where, {
          expected: `at most ${LIMITS.sourceFiles} sources`,
          actual: String(entries.length),
        }),
      );
      return;
    }
    for (const [path, source] of entries) {
      const content = (source as { content?: unknown } | null)?.content;
      if (typeof content === 'string') add(path, encoder.encode(content), where);
      else findings.push(finding('COMPILER_INPUT_INVALID', where, { expected: 'literal content for each source' }));
    }
  });
  for (const [index, file] of additionalFiles.entries())
    add(file.path, decodeBase64(file.base64), `/source/additionalFiles/${index}`);
  return findings.length > 0 ? { ok: false, findings } : { ok: true, files };
}

/** Returns the manifest of collected sources: sorted by UTF-8 bytes, regular files. */
export const manifestOf = (files: ReadonlyMap<string, Uint8Array>): ManifestEntry[] =>
  [...files.entries()]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([path, bytes]) => ({ path, mode: '100644', byteLength: bytes.length, sha256: sha256Digest(bytes) }));

/** Compares manifest, bundle, input and constructor digests with their bytes (docs/reference/requests-and-hashes.md#source-bundle). */
export function sourceFindings(request: JudgedRequest): Finding[] {
  const findings: Finding[] = [];
  const { compilationUnits, components } = request.compilerVerification;
  compilationUnits.forEach((unit, index) => {
    const digest = sha256Digest(decodeBase64(unit.standardJsonInputBase64));
    if (digest !== unit.standardJsonInputSha256) {
      findings.push(
        finding(
          'SOURCE_BUNDLE_HASH_MISMATCH',
          `/compilerVerification/compilationUnits/${index}/standardJsonInputSha256`,
          {
            expected: digest,
            actual: unit.standardJsonInputSha256,
          },
        ),
      );
    }
    if (!request.context.profile.compilerVersions.includes(unit.compilerVersion)) {
      findings.push(
        finding('COMPILER_VERSION_UNSUPPORTED', `/compilerVerification/compilationUnits/${index}/compilerVersion`, {
          expected: request.context.profile.compilerVersions.join(', '),
        }),
      );
    }
  });

  const collected = collectSources(
    compilationUnits,
    request.source.additionalFiles,
    '/compilerVerification/compilationUnits',
  );
  if (!collected.ok) return [...findings, ...collected.findings];
  const manifest = manifestOf(collected.files);
  const bundle = canonicalSha256(manifest);
  if (canonicalSha256(request.source.manifest) !== bundle) {
    findings.push(
      finding('SOURCE_MANIFEST_MISMATCH', '/source/manifest', {
        expected: `${manifest.length} entries hashing to ${bundle}`,
      }),
    );
  }
  if (request.source.bundleSha256 !== bundle) {
    findings.push(
      finding('SOURCE_BUNDLE_HASH_MISMATCH', '/source/bundleSha256', {
        expected: bundle,
        actual: request.source.bundleSha256,
      }),
    );
  }
  if (request.graphBundle.sourceBundleSha256 !== request.source.bundleSha256) {
    findings.push(
      finding('SOURCE_BUNDLE_HASH_MISMATCH', '/graphBundle/sourceBundleSha256', {
        expected: request.source.bundleSha256,
        actual: request.graphBundle.sourceBundleSha256,
      }),
    );
  }

  const declared = new Map(components.map((entry, index) => [entry.componentId, { entry, index }]));
  request.graphBundle.components.forEach((component, index) => {
    const compilation = declared.get(component.componentId);
    if (compilation === undefined) {
      findings.push(
        finding('COMPILER_TARGET_MISSING', `/graphBundle/components/${index}/componentId`, {
          expected: 'an entry in compilerVerification.components',
        }),
      );
      return;
    }
    const hash = keccak256Hex(hexToBytes(component.constructorArgs));
    if (compilation.entry.constructor.argumentsHash !== hash) {
      findings.push(
        finding(
          'CONSTRUCTOR_ARGUMENTS_MISMATCH',
          `/compilerVerification/components/${compilation.index}/constructor/argumentsHash`,
          {
            expected: hash,
            actual: compilation.entry.constructor.argumentsHash,
          },
        ),
      );
    }
  });
  if (components.length !== request.graphBundle.components.length || declared.size !== components.length) {
    findings.push(
      finding('COMPILER_TARGET_MISSING', '/compilerVerification/components', {
        expected: 'exactly one entry for each graph component',
      }),
    );
  }
  return findings;
}
