import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveModule } from './serve-module.js';
import { ReviewerAppModule, type ReviewerParts } from './reviewer-app.module.js';

/** Creates the HTTP application of the reviewers' listener, with its own routes and description. It does not listen yet. */
export function createReviewerApp(parts: ReviewerParts): Promise<NestFastifyApplication> {
  return serveModule(ReviewerAppModule.of(parts), {
    limits: parts.limits,
    metrics: parts.metrics,
    rewriteTarget: (target) => target,
  });
}
