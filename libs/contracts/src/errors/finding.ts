import { LIMITS } from '../primitives/limits.js';
import { LAYERS, type ErrorCode, type Layer, type RemediationAction } from './catalogue.js';

/**
 * One thing wrong with a request: where, what was expected, and the way out. Never carries source, keys or private paths.
 * `findingSchema` of the entry `/validation` parses it.
 */
export interface Finding {
  code: ErrorCode;
  layer: Layer;
  severity: 'error' | 'warning';
  /** RFC 6901 pointer into the request; empty for the whole request. */
  path: string;
  message: string;
  expected: string | null;
  actual: string | null;
  remediation: { action: RemediationAction; detail: string };
  docs: string;
}

/** Layer order, then pointer, then code; bounded. Every answer lists findings in this order. */
export function orderFindings<Found extends Omit<Finding, 'code'> & { code: string }>(
  findings: readonly Found[],
): Found[] {
  const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...findings]
    .sort(
      (a, b) =>
        LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || byCodePoint(a.path, b.path) || byCodePoint(a.code, b.code),
    )
    .slice(0, LIMITS.findings);
}

const encoder = new TextEncoder();

/**
 * The same list cut to what a workflow may carry: a step's verdict, whatever a hostile request
 * earned, stays well inside one payload. The first findings in order are kept.
 */
export function travellingFindings<Found extends Omit<Finding, 'code'> & { code: string }>(
  findings: readonly Found[],
): Found[] {
  let bytes = 0;
  const ordered = orderFindings(findings);
  const end = ordered.findIndex(
    (one) => (bytes += encoder.encode(JSON.stringify(one)).length + 1) > LIMITS.verdictBytes,
  );
  return end === -1 ? ordered : ordered.slice(0, end);
}
