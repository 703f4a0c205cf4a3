import { operation, service, serviceHandler, type ServiceHandler, type StartOperationContext } from 'nexus-rpc';

/** Answers one call of an operation. */
export type OperationHandler = (context: StartOperationContext, input: unknown) => Promise<unknown>;

/** Returns the handler of a Nexus service whose operations answer within the call, by name. */
export function nexusService(name: string, handlers: Readonly<Record<string, OperationHandler>>): ServiceHandler {
  const operations = Object.fromEntries(
    Object.keys(handlers).map((one) => [one, operation<unknown, unknown>({ name: one })]),
  );
  return serviceHandler(service(name, operations), { ...handlers });
}
