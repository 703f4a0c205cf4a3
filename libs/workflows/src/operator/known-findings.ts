import type { AnyFinding } from '@launch/contracts/errors';
import type { FindingsView } from '@launch/contracts/orchestration';

/** Of one launch; a verdict that travels has no more either. */
const MAX_FINDINGS = 256;
/** Characters of all findings in one answer: in UTF-8, at most three times as many bytes, they fit a payload of 64 KiB. */
const MAX_CHARACTERS = 20_000;
/** Codes in a search attribute; the index is for filtering, not for reading. */
const MAX_CODES = 32;

/** Findings that the steps of a run made known, each once, in the order they came. */
export class KnownFindings {
  private readonly known = new Map<string, AnyFinding>();
  private readonly codeSet = new Set<string>();

  /** Takes the findings out of a step's input or answer, where it has some. */
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
