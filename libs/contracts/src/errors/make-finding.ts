import { catalogueEntry, type CatalogueEntry, type ErrorCode } from './catalogue.js';
import {
  anyEntry,
  customLaunchCodeOf,
  customLaunchEntry,
  customLaunchPlaceOf,
  isCustomLaunchCode,
  type AnyCode,
  type AnyFinding,
  type CustomLaunchCode,
  type CustomLaunchFinding,
} from './custom-launch.catalogue.js';
import { orderFindings, type Finding } from './finding.js';
import { servedEntry, type ServedCode, type ServedFinding } from './modules.catalogue.js';

export interface FindingDetail {
  readonly message?: string;
  readonly expected?: string | null;
  readonly actual?: string | null;
  readonly detail?: string;
  readonly severity?: 'error' | 'warning';
}

/** Clips a text and replaces lone surrogates, which the strict JSON parser would refuse in a stored finding. */
const clip = (text: string, max: number): string =>
  (text.length <= max ? text : `${text.slice(0, max - 1)}…`).toWellFormed();

/** Makes a finding from a code and its catalogue entry; texts are clipped to their bounds on the wire. */
export const finding = (code: ErrorCode, path: string, more: FindingDetail = {}): Finding =>
  filled(code, catalogueEntry(code), path, more);

/** Returns the name of a field within a sentence: its pointer. */
export const fieldOf = (pointer: string): string => (pointer === '' ? 'The body' : pointer);

/** Makes a finding about the form of a field, which explains the fault and how to correct it. */
export const formFinding = (
  path: string,
  expected: string,
  { fault, remedy }: { readonly fault?: string | undefined; readonly remedy?: string | undefined } = {},
): Finding =>
  finding('SCHEMA_INVALID', path, {
    message: fault ?? `${fieldOf(path)} does not have its required form.`,
    expected,
    detail: remedy ?? `Correct ${path === '' ? 'the body' : path}; expected: ${expected}.`,
  });

/** Makes a finding of custom launches and plans. */
export const customLaunchFinding = (
  code: CustomLaunchCode,
  path: string,
  more: FindingDetail = {},
): CustomLaunchFinding => filled(code, customLaunchEntry(code), path, more);

/** Makes a finding of any launch family. */
export const anyFinding = (code: AnyCode, path: string, more: FindingDetail = {}): AnyFinding =>
  filled(code, anyEntry(code), path, more) as AnyFinding;

/** Makes a finding of launches, modules or reviewer routes. */
export const servedFinding = (code: ServedCode, path: string, more: FindingDetail = {}): ServedFinding =>
  filled(code, servedEntry(code), path, more) as ServedFinding;

/** Converts a finding of a shared rule to the codes and paths of custom launches and plans. */
export function customLaunchFindingOf(found: Finding): CustomLaunchFinding {
  const code = customLaunchCodeOf(found.code);
  const path = customLaunchPlaceOf(found.path);
  if (code === found.code) return { ...found, code, path };
  const { message } = catalogueEntry(found.code);
  return customLaunchFinding(code, path, {
    ...(found.message === message ? {} : { message: found.message }),
    ...(found.remediation.detail === message ? {} : { detail: found.remediation.detail }),
    expected: found.expected,
    actual: found.actual,
    severity: found.severity,
  });
}

/**
 * Converts findings of any family to those of a custom launch or a plan, in order. Shared steps use multi-role codes.
 */
export const customLaunchFindingsOf = (findings: readonly AnyFinding[]): CustomLaunchFinding[] =>
  orderFindings(findings.map((found) => (isOwn(found) ? found : customLaunchFindingOf(found))));

const isOwn = (found: AnyFinding): found is CustomLaunchFinding => isCustomLaunchCode(found.code);

function filled<Code extends string>(
  code: Code,
  entry: CatalogueEntry,
  path: string,
  more: FindingDetail,
): Omit<Finding, 'code'> & { code: Code } {
  const message = clip(more.message ?? entry.message, 1024);
  return {
    code,
    layer: entry.layer,
    severity: more.severity ?? 'error',
    path: clip(path, 1024),
    message,
    expected: more.expected == null ? null : clip(more.expected, 512),
    actual: more.actual == null ? null : clip(more.actual, 512),
    remediation: { action: entry.action, detail: clip(more.detail ?? entry.message, 1024) },
    docs: `/v4/errors#${code}`,
  };
}
