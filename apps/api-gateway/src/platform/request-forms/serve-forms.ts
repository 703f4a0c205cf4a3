import type { MessagePort } from 'node:worker_threads';
import { ApiError } from '@launch/http/requests';
import type { FormAnswer, FormQuestion } from './form-reader.pool.js';
import type { RequestForm } from './request-form.js';

/** A form whose types only its own module knows: `FormReaderPool` pairs each form with the data it needs. */
type AnyForm = RequestForm<unknown, unknown>;

interface Answered {
  readonly answer: FormAnswer;
  /** Memory that moves to the requesting thread. */
  readonly moved: readonly ArrayBuffer[];
}

/** Answers a `FormReaderPool` from a worker thread. @param forms every form that the pool may request. */
export function serveForms(port: MessagePort, forms: readonly AnyForm[]): void {
  const byName = new Map(forms.map((form) => [form.name, form]));
  port.on('message', (question: FormQuestion) => {
    const { answer, moved } = read(byName, question);
    port.postMessage(answer, [...moved]);
  });
}

/** @throws TypeError for a form that this thread does not have; the error ends the thread. */
function read(forms: ReadonlyMap<string, AnyForm>, { form: name, bytes, beside }: FormQuestion): Answered {
  const known = forms.get(name);
  if (known === undefined) throw new TypeError(`no form is named ${name}`);
  try {
    const form = known.read(bytes, beside);
    return { answer: { kind: 'read', form, bytes }, moved: [bytes.buffer, ...(known.memoryOf?.(form) ?? [])] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, findings, detailedFindings } = error;
    return { answer: { kind: 'refused', code, findings, detailedFindings }, moved: [] };
  }
}
