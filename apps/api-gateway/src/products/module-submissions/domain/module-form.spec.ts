import { describe, expect, it } from '@jest/globals';
import { moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { moduleForm } from './module-form.js';
import { DEFAULT_MODULE_INTAKE } from './module-intake.js';

describe('A module of too many files', () => {
  const MANY = 30_000;
  const sha256 = 'a'.repeat(64);
  const path = (index: number): string => `${'a/'.repeat(40)}${index}`;

  it('is refused for their number, and judged no further than an accepted one', () => {
    const submission = moduleSubmission();
    submission.package.source.files = Array.from({ length: MANY }, (_, index) => ({ path: path(index), sha256 }));
    submission.files = Array.from({ length: MANY }, (_, index) => ({ path: path(index), sha256, contentBase64: '' }));
    const form = moduleForm.read(new TextEncoder().encode(JSON.stringify(submission)), DEFAULT_MODULE_INTAKE.limits);
    const { maxFiles } = DEFAULT_MODULE_INTAKE.limits;
    expect(form.findings.filter(({ code }) => code === 'MODULE_LIMIT_EXCEEDED').map(({ path: at }) => at)).toEqual([
      '/files',
      '/package/source/files',
    ]);
    expect(form.findings.filter(({ code }) => code === 'MODULE_FILE_HASH')).toHaveLength(maxFiles);
    expect(form.findings).toHaveLength(maxFiles + 2);
    expect(form.draft).toBeNull();
  });
});
