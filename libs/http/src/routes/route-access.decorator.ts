import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

interface RouteInput {
  /** Largest body; absent for routes without one. */
  readonly bodyBytes?: number;
  /** Query parameters the route knows; none unless it is a list. */
  readonly query?: readonly string[];
  readonly idempotencyKey?: 'required';
}

/**
 * How a route is guarded; read by the gate before a byte of the body is. A public route has no scopes and counts by address,
 * or is a `probe`: a question about the process itself, which the process counts alone.
 */
export type RouteAccess<Scope extends string = string, QuotaName extends string = string> = RouteInput &
  (
    | { readonly scopes: null; readonly quota: QuotaName | 'probe' }
    | { readonly scopes: readonly Scope[]; readonly quota: QuotaName }
  );

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/**
 * The decorator that declares a route's guard, in the words of one service. With a route that lacks it the process does
 * not start (`ServedRoutes`), and the gate refuses it.
 */
export const accessDecorator =
  <Scope extends string, QuotaName extends string>() =>
  (access: RouteAccess<Scope, QuotaName>): MethodDecorator =>
    applyDecorators(RouteConfig({ access }));
