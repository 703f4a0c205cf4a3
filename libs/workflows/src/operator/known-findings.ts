import type { AnyFinding } from '@launch/contracts/errors';
import type { FindingsView } from '@launch/contracts/orchestration';

/** The most findings of one launch; a verdict has no more either. */
const MAX_FINDINGS = 256;
/**
 * The most characters of all findings in one result. In UTF-8 they have at most three times as many bytes, which fit
 * into a payload of 64 KiB.
 */
const MAX_CHARACTERS = 20_000;
/** The most codes in a search attribute, which serves to filter, not to read. */
const MAX_CODES = 32;

/** Findings from the steps of a run, each once, in their order of arrival. */
export class KnownFindings {
  private readonly known = new Map<string, AnyFinding>();
  private readonly codeSet = new Set<string>();

  /** Collects the findings of a step's input or result, if it has any. */
  takeFrom(value: unknown): void {
    if (typeof value !== 'object' || value === null || !('findings' in value) || !Array.isArray(value.findings)) return;
    for (const one of value.findings as readonly AnyFinding[]) {
      const key = `${one.code} ${one.path}`;
      if (this.known.size < MAX_FINDINGS && !this.known.has(key)) this.known.set(key, one);
      if (this.codeSet.size < MAX_CODES) this.codeSet.add(one.code);
    }
  }

  all(): readonly AnyFinding[] {
    return [...this.known.values()];
  }

  /** Each code once, for the search attribute. */
  codes(): string[] {
    return [...this.codeSet];
  }

  view(stage: string): FindingsView {
    const findings: AnyFinding[] = [];
    let characters = 0;
    for (const one of this.known.values()) {
      characters += JSON.stringify(one).length;
      if (characters > MAX_CHARACTERS) break;
      findings.push(one);
    }
    return { stage, findings, omitted: this.known.size - findings.length };
  }
}
