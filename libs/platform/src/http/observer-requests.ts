import { Counter, type Registry } from 'prom-client';

/** Returns the function that counts an HTTP exchange with an observer of a chain, by its outcome: `answered` or a code. */
export function countObserverRequests(
  registry: Registry,
): (exchange: { readonly chainId: number; readonly observer: string; readonly outcome: string }) => void {
  const requests = new Counter({
    name: 'launch_observer_requests_total',
    help: 'HTTP requests to observers of a chain, by outcome: answered, or the code of the failure.',
    labelNames: ['chain', 'observer', 'outcome'],
    registers: [registry],
  });
  return ({ chainId, observer, outcome }) => requests.inc({ chain: String(chainId), observer, outcome });
}
