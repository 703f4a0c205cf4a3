import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { reportAnswerKey } from '@launch/http';
import { AppModule, type GatewayParts } from './app.module.js';
import { serveModule } from './serve-module.js';
import { measureLaunches } from '../core/launches/launch-metrics.js';
import { measureUnavailability } from '../platform/operations/unavailability-metrics.js';
import { surfacesOf } from './unavailability.js';

const BASE_WITH_SLASH = `${MULTI_ROLE_BASE_PATH}/`;
const BARE_BASE = new RegExp(`^${BASE_WITH_SLASH}(?=$|\\?)`);

/** Creates the HTTP application of the public listener over its parts. It does not listen yet. */
export async function createGatewayApp(parts: GatewayParts): Promise<NestFastifyApplication> {
  const { limits, metrics } = parts;
  // `<base>/` also names the list and create routes; other paths with a trailing slash name nothing.
  const rewriteTarget = (target: string): string =>
    target.startsWith(BASE_WITH_SLASH) ? target.replace(BARE_BASE, MULTI_ROLE_BASE_PATH) : target;
  const app = await serveModule(AppModule.of(parts), { limits, metrics, rewriteTarget });
  reportAnswerKey(metrics, parts.answerSigner);
  measureLaunches(parts.database, metrics, parts.logger);
  measureUnavailability(surfacesOf(app, parts), metrics, parts.logger);
  return app;
}
