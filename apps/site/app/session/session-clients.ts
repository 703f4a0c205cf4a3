import { createLaunchClient, LaunchClientError, type LaunchClient } from '@launch/sdk';
import { createMultiRoleClient, type MultiRoleClient } from '@launch/sdk/multi-role';
import { ApiClient } from '@launch/sdk/operations';
import { createPlanClient, type PlanClient } from '@launch/sdk/plans';
import type { IssuedKey, Purpose } from './sign-in.js';

/** The clients of an owner's launches. */
export interface LaunchClients {
  readonly launches: LaunchClient;
  readonly plans: PlanClient;
  readonly multiRole: MultiRoleClient;
  /** Calls single operations: the wallet page compares their answers itself, so that it can show both values of a difference. */
  readonly api: ApiClient;
}
/** The client of an author's modules, for the operations of `@launch/sdk/operations`. */
export interface ModuleClients {
  readonly api: ApiClient;
}
/** The clients of each purpose; null where the visitor has not signed in for it. */
export interface SessionClients {
  readonly launches: LaunchClients | null;
  readonly modules: ModuleClients | null;
}
export type ClientsOf<For extends Purpose> = NonNullable<SessionClients[For]>;

/** Returns the clients of a key. The key is in their closure only, and is sent to the gateway only. */
export const launchClientsOf = (baseUrl: string, issued: IssuedKey): LaunchClients => {
  const options = { baseUrl, key: living(issued) };
  return {
    launches: createLaunchClient(options),
    plans: createPlanClient(options),
    multiRole: createMultiRoleClient(options),
    api: new ApiClient(baseUrl, { apiKey: options.key }),
  };
};
export const moduleClientsOf = (baseUrl: string, issued: IssuedKey): ModuleClients => ({
  api: new ApiClient(baseUrl, { apiKey: living(issued) }),
});

const living =
  ({ key, expiresAt }: IssuedKey) =>
  (): string => {
    if (expiresAt <= Date.now()) throw new LaunchClientError('SIGN_IN_EXPIRED', 'The sign-in expired. Sign in again.');
    return key;
  };
