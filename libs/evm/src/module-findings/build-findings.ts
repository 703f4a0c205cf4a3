import type {
  ArtifactTarget,
  BuildDiagnostic,
  BuildFinding,
  BuildFindings,
  BuildFindingCode,
  CodeFingerprint,
  ModulePackage,
} from '@launch/contracts/modules';
import { hexToBytes } from 'viem/utils';
import { codeFingerprint, similarity } from './code-fingerprint.js';
import { configurationFindings } from './configuration-encoding.js';
import { hookFindings } from './hook-findings.js';
import { managementFindings, type DeclaredFunction } from './management-findings.js';
import { runtimeFindings } from './runtime-findings.js';
import { SourceLines } from './source-lines.js';

/** The declarations of a descriptor that compiled code can be compared with. */
export interface DeclaredModule {
  readonly configuration: Pick<ModulePackage['configuration'], 'fields' | 'maxEncodedBytes'>;
  readonly capabilities: Pick<ModulePackage['capabilities'], 'hookPermissions'> & {
    readonly contracts: readonly Pick<ModulePackage['capabilities']['contracts'][number], 'name'>[];
  };
  readonly management: { readonly reads: readonly DeclaredFunction[]; readonly actions: readonly DeclaredFunction[] };
}

/** An earlier build that this one is compared with. */
export interface EarlierBuild {
  readonly submissionId: string;
  readonly fingerprints: readonly CodeFingerprint[];
}

export interface FindingsInput {
  readonly submissionId: string;
  readonly declared: DeclaredModule;
  readonly artifact: { readonly targets: readonly ArtifactTarget[] };
  /** Texts of the compiled sources by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly diagnostics: readonly BuildDiagnostic[];
  readonly earlier: readonly EarlierBuild[];
}

const MAX_FINDINGS = 1_024;
/** The similarity from which an earlier module is named. */
const ALIKE = 0.8;

const SEVERITIES: Readonly<Partial<Record<BuildFindingCode, BuildFinding['severity']>>> = {
  HOOK_CALLER_UNDETERMINED: 'warning',
  MANAGEMENT_ACTION_PAYABLE_DIFFERS: 'warning',
  SIMILAR_TO_EARLIER_MODULE: 'warning',
  COMPILER_WARNING: 'warning',
  RUNTIME_EMPTY: 'info',
};

const place = ({ path, contract }: ArtifactTarget): NonNullable<BuildFinding['target']> => ({ path, contract });

/**
 * Compares a module's build with its descriptor (pure; the same input gives the same document). No finding refuses the
 * module: each one is for the reviewer.
 */
export function findBuildFindings(input: FindingsInput): BuildFindings {
  const { declared, diagnostics } = input;
  const lines = new SourceLines(input.texts);
  const { targets } = input.artifact;
  const finding = (code: BuildFindingCode, rest: Partial<Omit<BuildFinding, 'code'>>): BuildFinding => ({
    code,
    severity: SEVERITIES[code] ?? 'error',
    target: null,
    pointer: null,
    source: null,
    detail: '',
    ...rest,
  });
  const fingerprints = targets.map((target) => ({
    ...place(target),
    sketch: codeFingerprint(hexToBytes(target.runtime.object)),
  }));

  const findings = [
    ...declared.capabilities.contracts.flatMap(({ name }, index) =>
      targets.some(({ contract }) => contract === name)
        ? []
        : [finding('CONTRACT_NOT_BUILT', { pointer: `/capabilities/contracts/${index}/name`, detail: name })],
    ),
    ...managementFindings(declared.management, targets).map(({ code, list, index, member, name, target }) =>
      finding(code, {
        target: target && place(target),
        pointer: `/management/${list}/${index}/${member}`,
        source: target && lines.lineOfFunction(target.path, name),
        detail: name,
      }),
    ),
    ...hookFindings(declared.capabilities.hookPermissions, targets).map(({ code, flag, target }) =>
      finding(code, {
        target: target && place(target),
        pointer: '/capabilities/hookPermissions',
        source: target && lines.lineOfFunction(target.path, flag),
        detail: flag,
      }),
    ),
    ...targets.flatMap((target) =>
      runtimeFindings(target).map(({ code, detail }) => finding(code, { target: place(target), detail })),
    ),
    ...configurationFindings(declared.configuration).map(({ code, detail }) =>
      finding(code, { pointer: '/configuration/fields', detail }),
    ),
    ...alike(fingerprints, input.earlier).map(({ target, detail }) =>
      finding('SIMILAR_TO_EARLIER_MODULE', { target, detail }),
    ),
    ...diagnostics.slice(0, MAX_FINDINGS).map(({ type, errorCode, sourceLocation }) =>
      finding('COMPILER_WARNING', {
        source: sourceLocation && lines.lineAt(sourceLocation.file, sourceLocation.start),
        detail: errorCode === null ? type : `${type} ${errorCode}`,
      }),
    ),
  ];
  return {
    schemaVersion: 'service.modules.build-findings.v1',
    submissionId: input.submissionId,
    findings: findings.slice(0, MAX_FINDINGS),
    fingerprints,
  };
}

/** Returns, for each contract, the most similar earlier one, if any is similar. */
function alike(
  fingerprints: readonly CodeFingerprint[],
  earlier: readonly EarlierBuild[],
): { target: NonNullable<BuildFinding['target']>; detail: string }[] {
  return fingerprints.flatMap(({ path, contract, sketch }) => {
    let best: { share: number; name: string } | null = null;
    for (const { submissionId, fingerprints: theirs } of earlier) {
      for (const other of theirs) {
        const share = similarity(sketch, other.sketch);
        if (share >= ALIKE && share > (best?.share ?? 0)) {
          best = { share, name: `${other.contract} of submission ${submissionId}` };
        }
      }
    }
    if (best === null) return [];
    return [{ target: { path, contract }, detail: `${Math.round(best.share * 100)} % like ${best.name}` }];
  });
}
