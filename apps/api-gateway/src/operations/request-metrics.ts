import { Counter, Gauge, Histogram, type Registry } from '@launch/platform';
import type { BodyBudget, HttpServer, RouteDefinition } from '@launch/http';

/** Answers of one method, route and status: numbers, since a metric looks its labels up whenever it is told of an answer. */
interface Tally {
  readonly method: string;
  readonly status: number;
  /** Answers that the metric has not been told of. */
  untold: number;
  readonly tell: (answers: number) => void;
  readonly time: (seconds: number) => void;
}

/** Counts and times every answered request by route template, never by path; and what of bodies is held. */
export function measureRequests({ fastify, standing }: HttpServer, bodies: BodyBudget, registry: Registry): void {
  const held: Gauge = new Gauge({
    name: 'http_body_bytes_held',
    help: 'Bytes of request bodies held now.',
    registers: [registry],
    collect: () => held.set(bodies.bytesHeld),
  });
  const tallies = new Map<RouteDefinition | undefined, Tally[]>();
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect: () => {
      for (const ofRoute of tallies.values()) for (const tally of ofRoute) tellOf(tally);
    },
  });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  const tallyOf = (key: RouteDefinition | undefined, method: string, status: number, template: () => string): Tally => {
    let ofRoute = tallies.get(key);
    if (ofRoute === undefined) tallies.set(key, (ofRoute = []));
    for (const known of ofRoute) if (known.status === status && known.method === method) return known;
    const route = template();
    const { observe } = seconds.labels(method, route);
    const tally: Tally = {
      method,
      status,
      untold: 0,
      tell: (answers) => requests.inc({ method, route, status: String(status) }, answers),
      time: observe,
    };
    ofRoute.push(tally);
    return tally;
  };
  const count = (tally: Tally, elapsedSeconds: number): void => {
    tally.untold += 1;
    tally.time(elapsedSeconds);
  };
  fastify.addHook('onResponse', (request, reply, done) => {
    const { is404, method, exchange } = request;
    // Fastify makes a route's options anew each time they are read.
    const template = (): string => (is404 ? 'none' : (request.routeOptions.url ?? 'none'));
    count(tallyOf(is404 ? undefined : exchange.route, method, reply.statusCode, template), reply.elapsedTime / 1_000);
    done();
  });
  standing.observe((route, target, elapsed) =>
    count(
      tallyOf(route, 'GET', 200, () => target),
      elapsed,
    ),
  );
}

function tellOf(tally: Tally): void {
  if (tally.untold > 0) tally.tell(tally.untold);
  tally.untold = 0;
}
