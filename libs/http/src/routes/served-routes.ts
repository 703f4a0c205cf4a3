import type { FastifyInstance } from 'fastify';
import type { RouteDefinition } from './route.definition.js';

interface ServedRoute {
  /** The path in Fastify's notation: `:parameter`. */
  readonly url: string;
  readonly methods: readonly string[];
  readonly route: RouteDefinition | undefined;
}

export interface DeclaredRoute extends ServedRoute {
  readonly route: RouteDefinition;
}

/** Every route that Fastify serves, from any module. */
export class ServedRoutes {
  private readonly routes: ServedRoute[] = [];

  /** Collects routes from now on. Create it before the first route is registered. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook(
      'onRoute',
      ({ url, method, config }) => void this.routes.push({ url, methods: [method].flat(), route: config?.route }),
    );
  }

  /** Returns the declared routes. @throws Error naming the undeclared ones, with which the process must not serve. */
  declared(): readonly DeclaredRoute[] {
    const open = this.routes
      .filter(({ route }) => route === undefined)
      .map(({ url, methods }) => `${methods.join(', ')} ${url}`);
    if (open.length > 0) throw new Error(`routes without @Route: ${open.join('; ')}`);
    return this.routes as readonly DeclaredRoute[];
  }
}
