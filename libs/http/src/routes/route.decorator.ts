import { applyDecorators, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { describeRoute } from './describe-route.js';
import { routerPath } from './path-parameters.js';
import { defineRoute, type RouteDeclaration, type RouteFamily } from './route.definition.js';

const METHODS = { get: RequestMethod.GET, post: RequestMethod.POST, put: RequestMethod.PUT } as const;

/**
 * Creates the decorator of a family's routes. The gate, the error filter, the OpenAPI document and discovery read its
 * argument. The process does not start with a route that lacks it (`ServedRoutes`).
 */
export const routesOf =
  <S extends string, Q extends string, Tag extends string>(family: RouteFamily<S, Tag>) =>
  (declaration: RouteDeclaration<S, Q, Tag>): MethodDecorator => {
    const route = defineRoute(family, declaration);
    return applyDecorators(
      RequestMapping({
        path: routerPath(route.path),
        method: METHODS[route.method],
      }),
      RouteConfig({ route }),
      ...describeRoute(route),
    );
  };
