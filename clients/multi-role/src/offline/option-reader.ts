import type { z } from 'zod';
import { PackError, type PackFinding } from './pack.error.js';
import { parseWith } from './strict-document.js';

/** Reads options by their schemas and collects the faults, so that one refusal names every faulty option. */
export class OptionReader {
  private readonly findings: PackFinding[] = [];

  constructor(private readonly options: Readonly<Record<string, string>>) {}

  /** Returns the option's value; null without the option, or if the schema refuses it. */
  read<T>(name: string, schema: z.ZodType<T>, message: string): T | null {
    const text = this.options[name];
    if (text === undefined) return null;
    const result = parseWith(schema, text);
    if (result.ok) return result.value;
    this.findings.push({ path: `--${name}`, message });
    return null;
  }

  /** @throws {PackError} `MULTI_ROLE_PACK_ARGUMENTS_INVALID` if a schema refused an option. */
  requireValid(): void {
    if (this.findings.length > 0) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', this.findings);
  }
}
