import { parentPort } from 'node:worker_threads';
import { serveForms } from '../../platform/request-forms/serve-forms.js';
import { reviewedFilesForm } from '../../products/reviewer/domain/reviewed-module.js';

if (parentPort === null) throw new TypeError('this module is a worker thread');
serveForms(parentPort, [reviewedFilesForm]);
