import type { Finding } from '@launch/contracts/errors';
import type { Check } from './checks.js';

/** What a command found; `indeterminate` where nothing was given to be checked. */
export type Outcome = 'pass' | 'fail' | 'indeterminate';

/** The one JSON document that a run prints. `details` differ by command and hold facts, never opinions. */
export interface Verdict {
  readonly schemaVersion: 'launch.verify-verdict.v1';
  readonly command: string;
  readonly verdict: Outcome;
  readonly findings: readonly Finding[];
  /** Commands that recompute say each thing they held against the file. */
  readonly checks?: readonly Check[];
  readonly details: Readonly<Record<string, unknown>>;
  /** What this command cannot or was not asked to see, so that a pass says no more than it means. */
  readonly notChecked: readonly string[];
}

/** Puts a verdict together: any error among the findings is a fail. */
export function verdictOf(
  command: string,
  findings: readonly Finding[],
  details: Readonly<Record<string, unknown>>,
  notChecked: readonly string[] = [],
  whenClean: Outcome = 'pass',
): Verdict {
  return {
    schemaVersion: 'launch.verify-verdict.v1',
    command,
    verdict: findings.length > 0 ? 'fail' : whenClean,
    findings,
    details,
    notChecked,
  };
}

/** The verdict of a command that recomputes: it passes when something was checked and all of it holds. */
export function verdictOfChecks(
  command: string,
  checks: readonly Check[],
  details: Readonly<Record<string, unknown>>,
  notChecked: readonly string[],
): Verdict {
  const passes = checks.length > 0 && checks.every(({ verdict }) => verdict === 'pass');
  return {
    schemaVersion: 'launch.verify-verdict.v1',
    command,
    verdict: passes ? 'pass' : 'fail',
    findings: [],
    checks,
    details,
    notChecked,
  };
}
