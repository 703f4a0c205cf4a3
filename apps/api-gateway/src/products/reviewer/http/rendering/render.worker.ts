import { parentPort } from 'node:worker_threads';
import { renderReview } from './render-review.js';
import type { RenderQuestion } from '../../domain/review-rendering.js';

const port = parentPort;
if (port === null) throw new TypeError('this module is a worker thread');

port.on('message', (question: RenderQuestion) => {
  // The result is copied to its exact size, because the encoder's memory can be larger or shared.
  const rendered = new Uint8Array(renderReview(question));
  port.postMessage(rendered, [rendered.buffer]);
});
