import { parentPort } from 'node:worker_threads';
import { ApiError } from '@launch/http/requests';
import type { FormAnswer, FormQuestion } from '../../platform/request-forms/form-reader.pool.js';
import { memoryOf, readForm } from './forms.js';

const port = parentPort;
if (port === null) throw new TypeError('this module is a worker thread');

port.on('message', (question: FormQuestion) => {
  const told = answer(question);
  port.postMessage(told, told.kind === 'read' ? [question.bytes.buffer, ...memoryOf(told.form)] : []);
});

function answer({ family, bytes, context }: FormQuestion): FormAnswer {
  try {
    return { kind: 'read', form: readForm(family, bytes, context), bytes };
  } catch (error) {
    if (error instanceof ApiError)
      return { kind: 'refused', code: error.code, findings: error.findings, wholeFindings: error.wholeFindings };
    throw error;
  }
}
