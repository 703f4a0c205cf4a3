import { finding, formFinding, type Finding } from '@launch/contracts/errors';
import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import type { PackConfig } from '@launch/contracts/multi-role';
import { decodeBase64, encodeBase64 } from '@launch/contracts/primitives';

/**
 * Lists inconsistent declarations that the packer can detect before a server does: encodings that are not canonical, missing
 * units and targets, an image path without a file, and a range off its spacing.
 */
export function declarationFindings(config: PackConfig): Finding[] {
  return [
    ...encodingFindings(config),
    ...targetFindings(config),
    ...liquidityFindings(config),
    ...imagePathFindings(config),
  ];
}

/** Returns whether Base64 is canonical: stray bits in the last character would encode the same bytes in two ways. */
const isCanonicalBase64 = (text: string): boolean => encodeBase64(decodeBase64(text)) === text;

function encodingFindings({ compiler, source }: PackConfig): Finding[] {
  const texts: [string, string][] = [
    ...compiler.compilationUnits.map((unit, index): [string, string] => [
      `/compiler/compilationUnits/${index}/standardJsonInputBase64`,
      unit.standardJsonInputBase64,
    ]),
    ...source.additionalFiles.map((file, index): [string, string] => [
      `/source/additionalFiles/${index}/base64`,
      file.base64,
    ]),
  ];
  return texts
    .filter(([, text]) => !isCanonicalBase64(text))
    .map(([path]) => formFinding(path, 'canonical base64', { fault: `${path} is not canonical base64.` }));
}

function targetFindings({ compiler }: PackConfig): Finding[] {
  const findings: Finding[] = [];
  const sourcesByUnit = new Map<string, ReadonlySet<string>>();
  compiler.compilationUnits.forEach((unit, index) => {
    if (sourcesByUnit.has(unit.compilationUnitId)) {
      findings.push(
        finding('COMPILER_INPUT_INVALID', `/compiler/compilationUnits/${index}/compilationUnitId`, {
          message: 'another unit has this id',
        }),
      );
    }
    sourcesByUnit.set(unit.compilationUnitId, sourcePaths(unit.standardJsonInputBase64));
  });
  compiler.components.forEach(({ target }, index) => {
    const paths = sourcesByUnit.get(target.compilationUnitId);
    const field = paths === undefined ? 'compilationUnitId' : 'path';
    if (paths === undefined || !paths.has(target.path)) {
      findings.push(
        finding('COMPILER_TARGET_MISSING', `/compiler/components/${index}/target/${field}`, {
          message: 'names no unit or no source of its unit',
        }),
      );
    }
  });
  return findings;
}

/** Returns the paths; empty for an unreadable input, which the source bundle reports. */
function sourcePaths(standardJsonInputBase64: string): ReadonlySet<string> {
  try {
    const input = parseStrictJson(decodeBase64(standardJsonInputBase64)) as { sources?: object } | null;
    return new Set(Object.keys(input?.sources ?? {}));
  } catch (error) {
    if (error instanceof StrictJsonError) return new Set();
    throw error;
  }
}

function liquidityFindings({ liquidityModel, graphBundle }: PackConfig): Finding[] {
  const { tickLower, tickUpper, tickSpacing } = liquidityModel;
  const findings: Finding[] = [];
  const refuse = (path: string, message: string): void =>
    void findings.push(finding('GRAPH_POOL_INVALID', path, { message }));
  if (tickLower >= tickUpper) refuse('/liquidityModel/tickLower', 'is not below tickUpper');
  if (tickLower % tickSpacing !== 0) refuse('/liquidityModel/tickLower', 'is not a multiple of tickSpacing');
  if (tickUpper % tickSpacing !== 0) refuse('/liquidityModel/tickUpper', 'is not a multiple of tickSpacing');
  if (graphBundle.officialPool.poolKey.tickSpacing !== tickSpacing)
    refuse('/graphBundle/officialPool/poolKey/tickSpacing', "is not the liquidity model's tickSpacing");
  return findings;
}

function imagePathFindings({ source, projectMetadata }: PackConfig): Finding[] {
  const file = source.additionalFiles.find(({ path }) => path === source.imagePath);
  if (file === undefined)
    return [finding('IMAGE_MISMATCH', '/source/imagePath', { message: 'names no additional file' })];
  const paths = source.additionalFiles.map(({ path }) => path);
  const repeated = paths.findIndex((path, index) => paths.indexOf(path) !== index);
  const findings =
    repeated < 0
      ? []
      : [
          finding('SOURCE_MANIFEST_MISMATCH', `/source/additionalFiles/${repeated}/path`, {
            message: 'names another file already',
          }),
        ];
  if (projectMetadata.image.byteLength !== decodeBase64(file.base64).length) {
    findings.push(
      finding('IMAGE_MISMATCH', '/projectMetadata/image/byteLength', { message: 'is not the length of the image' }),
    );
  }
  return findings;
}
