import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ReviewConsoleParts } from '../parts.module.js';
import { serveModule } from '../serve-module.js';
import { ReviewConsoleModule } from './review-console.module.js';

/** Creates the HTTP application of the reviewers' listener, with its own routes and description. It does not listen yet. */
export function createReviewConsole(parts: ReviewConsoleParts): Promise<NestFastifyApplication> {
  return serveModule(ReviewConsoleModule.of(parts), {
    limits: parts.limits,
    metrics: parts.metrics,
    rewriteTarget: (target) => target,
  });
}
