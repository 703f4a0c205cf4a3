import { describe, expect, it } from '@jest/globals';
import { moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { moduleForm } from './module-form.js';
import { DEFAULT_MODULE_INTAKE } from './module-intake.js';

describe('a module of too many files', () => {
  const MANY = 30_000;
  const sha256 = 'a'.repeat(64);
  const path = (index: number): string => `${'a/'.repeat(40)}${index}`;

  it('is refused for their number alone, before paths and hashes are judged', () => {
    const submission = moduleSubmission();
    submission.package.source.files = Array.from({ length: MANY }, (_, index) => ({ path: path(index), sha256 }));
    submission.files = Array.from({ length: MANY }, (_, index) => ({ path: path(index), sha256, contentBase64: '' }));
    const form = moduleForm.read(new TextEncoder().encode(JSON.stringify(submission)), DEFAULT_MODULE_INTAKE.limits);
    expect(form.issues.map(({ code, path: at }) => `${code} ${at}`)).toEqual([
      'MODULE_LIMIT_EXCEEDED /package/source/files',
      'MODULE_LIMIT_EXCEEDED /files',
    ]);
    expect(form.draft).toBeNull();
  });
});
