import { parentPort } from 'node:worker_threads';
import { ApiError } from '@launch/http/requests';
import type { FormAnswer } from './form-reader.pool.js';
import { readRequestForm } from './request-form.js';

const port = parentPort;
if (port === null) throw new TypeError('this module is a worker thread');

port.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  const told = answer(bytes);
  port.postMessage(told, told.kind === 'read' ? [bytes.buffer] : []);
});

function answer(bytes: Uint8Array<ArrayBuffer>): FormAnswer {
  try {
    return { kind: 'read', form: readRequestForm(bytes), bytes };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', code: error.code, findings: error.findings };
    throw error;
  }
}
