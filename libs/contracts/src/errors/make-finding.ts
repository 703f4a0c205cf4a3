import { catalogueEntry, type ErrorCode } from './catalogue.js';
import type { Finding } from './finding.js';

export interface FindingDetail {
  readonly message?: string;
  readonly expected?: string | null;
  readonly actual?: string | null;
  readonly detail?: string;
  readonly severity?: 'error' | 'warning';
}

/** Never a lone surrogate: what strict JSON could not read back would make a stored finding unreadable. */
const clip = (text: string, max: number): string =>
  (text.length <= max ? text : `${text.slice(0, max - 1)}…`).toWellFormed();

/** A finding with everything its code implies filled in; texts are clipped to their wire bounds. */
export function finding(code: ErrorCode, path: string, more: FindingDetail = {}): Finding {
  const entry = catalogueEntry(code);
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
