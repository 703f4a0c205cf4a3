import type { Finding } from '@launch/contracts/errors';
import type { Check } from './checks.js';

/** The outcome of a command; `indeterminate` without anything to check. */
export type Outcome = 'pass' | 'fail' | 'indeterminate';

/** The one JSON document that a run prints. `details` differ by command and contain facts, never opinions. */
export interface Verdict {
  readonly schemaVersion: 'launch.verify-verdict.v1';
  readonly command: string;
  readonly verdict: Outcome;
  readonly findings: readonly Finding[];
  /** Every comparison of a command that recomputes. */
  readonly checks?: readonly Check[];
  readonly details: Readonly<Record<string, unknown>>;
  /** Parts that this command cannot check or was not asked to check, which limit the meaning of a pass. */
  readonly notChecked: readonly string[];
}

/** Creates a verdict: any error among the findings is a fail. */
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

/** Creates the verdict of a command that recomputes: it passes if something was checked and all of it holds. */
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
