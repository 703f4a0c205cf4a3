import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Scope } from '../credentials/caller.js';
import type { QuotaName } from '../rate-limits/quotas.js';

/** How a route is guarded; read by the gate before a byte of the body is. */
export interface RouteAccess {
  /** Scopes the key needs; null for a public route. */
  readonly scopes: readonly Scope[] | null;
  readonly quota: QuotaName;
  /** Largest body; absent for routes without one. */
  readonly bodyBytes?: number;
  /** Query parameters the route knows; none unless it is a list. */
  readonly query?: readonly string[];
  readonly idempotencyKey?: 'required';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Declares a route's guard. A route without this decorator is refused by the gate. */
export const Access = (access: RouteAccess): MethodDecorator => applyDecorators(RouteConfig({ access }));
