import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMetrics } from '@launch/platform';
import { serveModule } from '../http/serve-module.js';
import { ReviewerAppModule, type ReviewerParts } from './reviewer.module.js';

/**
 * The HTTP application of the reviewers' listener (decision 70). It has its own routes alone, its own description and its
 * own metrics. It listens to nothing yet.
 */
export function createReviewerApp(given: Omit<ReviewerParts, 'metrics'>): Promise<NestFastifyApplication> {
  const parts: ReviewerParts = { ...given, metrics: createMetrics('api-gateway-reviewer') };
  return serveModule(ReviewerAppModule.of(parts), {
    limits: parts.limits,
    metrics: parts.metrics,
    rewriteTarget: (target) => target,
  });
}
