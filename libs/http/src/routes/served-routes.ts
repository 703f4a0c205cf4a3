import type { FastifyInstance } from 'fastify';
import type { RouteDefinition } from './route.definition.js';

interface ServedRoute {
  /** As Fastify writes paths: `:parameter`. */
  readonly url: string;
  readonly methods: readonly string[];
  readonly route: RouteDefinition | undefined;
}

export interface DeclaredRoute extends ServedRoute {
  readonly route: RouteDefinition;
}

/** Every route that Fastify serves, whoever registered it. */
export class ServedRoutes {
  private readonly routes: ServedRoute[] = [];

  /** Collects from now on: call before the first route is registered. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook(
      'onRoute',
      ({ url, method, config }) => void this.routes.push({ url, methods: [method].flat(), route: config?.route }),
    );
  }

  /** @throws Error naming the routes that nobody declared: such a process must not serve. */
  declared(): readonly DeclaredRoute[] {
    const open = this.routes
      .filter(({ route }) => route === undefined)
      .map(({ url, methods }) => `${methods.join(', ')} ${url}`);
    if (open.length > 0) throw new Error(`routes without @Route: ${open.join('; ')}`);
    return this.routes as readonly DeclaredRoute[];
  }
}
