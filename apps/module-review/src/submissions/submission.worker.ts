import { parentPort } from 'node:worker_threads';
import { readSubmission } from './read-submission.js';
import type { SubmissionQuestion } from './submission.reader.js';

const port = parentPort;
if (port === null) throw new TypeError('this module is a worker thread');

port.on('message', ({ bytes, requestDigest }: SubmissionQuestion) =>
  port.postMessage(readSubmission(bytes, requestDigest)),
);
