import type { FastifyInstance } from 'fastify';

interface ServedRoute {
  /** As Fastify writes paths: `:parameter`. */
  readonly url: string;
  readonly methods: readonly string[];
  readonly isGuarded: boolean;
}

/** Every route that Fastify serves, whoever registered it. */
export class ServedRoutes {
  private readonly routes: ServedRoute[] = [];

  /** Collects from now on: call before the first route is registered. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook(
      'onRoute',
      ({ url, method, config }) =>
        void this.routes.push({ url, methods: [method].flat(), isGuarded: config?.access !== undefined }),
    );
  }

  /** @throws Error naming the routes that say nothing about who may ask: such a process must not serve. */
  guarded(): readonly ServedRoute[] {
    const open = this.routes
      .filter(({ isGuarded }) => !isGuarded)
      .map(({ url, methods }) => `${methods.join(', ')} ${url}`);
    if (open.length > 0) throw new Error(`routes without @Access: ${open.join('; ')}`);
    return this.routes;
  }
}
