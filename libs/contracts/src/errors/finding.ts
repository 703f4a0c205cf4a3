import { LIMITS } from '../primitives/limits.js';
import { LAYERS, type ErrorCode, type Layer, type RemediationAction } from './catalogue.js';

/**
 * One fault of a request, with its place, the expectation and the remediation. It never contains source, keys or
 * private paths. `findingSchema` of the entry `/validation` parses it.
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

/**
 * Sorts findings by layer, pointer and code, and keeps the first ones up to the limit. Every response lists findings in
 * this order.
 */
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
 * Orders findings and cuts the list to the size that a workflow payload allows, so that no hostile request can produce
 * a larger verdict. Keeps the first findings.
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
