import { applyDecorators, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { describeRoute } from './describe-route.js';
import { routerPath } from './path-parameters.js';
import { defineRoute, type RouteDeclaration, type RouteFamily } from './route.definition.js';

const METHODS = { get: RequestMethod.GET, post: RequestMethod.POST, put: RequestMethod.PUT } as const;

/**
 * The decorator of a family's routes. The gate, the error filter, the description and discovery read what it is given.
 * With a route that lacks it the process does not start (`ServedRoutes`).
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
