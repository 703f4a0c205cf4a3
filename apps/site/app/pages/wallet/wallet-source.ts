import {
  ApiClientError,
  getCustomLaunch,
  getCustomLaunchRequest,
  getLaunch,
  getLaunchCapabilities,
  getLaunchRequest,
  getPlan,
  getPlanRequest,
  type ApiClient,
  type components,
} from '@launch/sdk/operations';
import { LaunchClientError } from '@launch/sdk';

type Schemas = components['schemas'];
export type CustomLaunch = Schemas['CustomLaunchResource'];
export type MultiRoleLaunch = Schemas['LaunchResource'];
export type Plan = Schemas['CustomLaunchPlanResourceV1_2'];

/** A launch or a plan as the service claims it. */
export type Resource =
  | { readonly family: 'custom-launch'; readonly launch: CustomLaunch }
  | { readonly family: 'multi-role'; readonly launch: MultiRoleLaunch }
  | { readonly family: 'plan'; readonly plan: Plan };

/** The documents from which the page recomputes a hand-off. */
export interface Material {
  readonly request: Uint8Array;
  /** The context that the deployment publishes now; a multi-role request contains its own. */
  readonly context: unknown;
}

/** The page that the visitor opened. */
export interface Target {
  readonly kind: 'launch' | 'plan';
  readonly id: string;
}

/** The service has no answer that the page can use. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

const PLAN = { path: { chainId: '4663' }, header: { 'Service-Launch-Response-Version': '1.2' } } as const;

/**
 * Reads what the page is about, and finds the family of a launch id. The answers are claims: they have the form that the service
 * documents, and nothing more is known about them.
 */
export async function readResource(api: ApiClient, { kind, id }: Target): Promise<Resource> {
  return kind === 'plan' ? { family: 'plan', plan: await planOf(api, id) } : launchOf(api, id);
}

async function launchOf(api: ApiClient, launchId: string): Promise<Resource> {
  const custom = await explained(() => api.call(getCustomLaunch, { path: { launchId } }));
  if (custom.status === 200) return { family: 'custom-launch', launch: custom.value };
  if (custom.status !== 404) throw refused(custom.value);
  const multiRole = await explained(() => api.call(getLaunch, { path: { launchId } }));
  if (multiRole.status === 200) return { family: 'multi-role', launch: multiRole.value };
  throw multiRole.status === 404 ? absent() : refused(multiRole.value);
}

async function planOf(api: ApiClient, planId: string): Promise<Plan> {
  const answer = await explained(() => api.call(getPlan, { path: { ...PLAN.path, planId }, header: PLAN.header }));
  if (answer.status !== 200) throw refused(answer.value);
  if (answer.value.schemaVersion !== 'service.custom-launch-plan-resource.v1.2')
    throw new SourceError('The service answered with another version of the plan than the page asked for.');
  return answer.value;
}

/** Reads the bytes of the request that the link names, not the resource, and the published context. */
export async function readMaterial(api: ApiClient, { id }: Target, resource: Resource): Promise<Material> {
  const request = await explained(() => readRequest(api, id, resource.family));
  if (resource.family === 'multi-role') return { request, context: undefined };
  const capabilities = await explained(() => api.call(getLaunchCapabilities, {}));
  if (capabilities.status !== 200) throw refused(capabilities.value);
  return { request, context: capabilities.value.context?.document };
}

async function readRequest(api: ApiClient, id: string, family: Resource['family']): Promise<Uint8Array> {
  switch (family) {
    case 'custom-launch':
      return bytesIn(await api.call(getCustomLaunchRequest, { path: { launchId: id } }));
    case 'multi-role':
      return bytesIn(await api.call(getLaunchRequest, { path: { launchId: id } }));
    case 'plan': {
      const path = { ...PLAN.path, planId: id };
      return bytesIn(await api.call(getPlanRequest, { path, header: PLAN.header }));
    }
  }
}

interface Received {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly value?: unknown;
}
function bytesIn({ status, bytes, value }: Received): Uint8Array {
  if (status !== 200) throw refused(value);
  return bytes;
}

async function explained<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiClientError)
      throw new SourceError(`The page could not read the service: ${error.message} (${error.code}).`, { cause: error });
    // The key of the session expired.
    if (error instanceof LaunchClientError) throw new SourceError(error.message, { cause: error });
    throw error;
  }
}

const absent = (): SourceError =>
  new SourceError(
    `The service has no launch with this id that you can read. Sign in with the account that submitted it, and check the link.`,
  );

interface Refusal {
  readonly error?: { readonly message?: string; readonly code?: string };
  readonly errors?: readonly { readonly message?: string; readonly code?: string }[];
}
function refused(body: unknown): SourceError {
  const { error, errors = [] } = (typeof body === 'object' && body !== null ? body : {}) as Refusal;
  const { message = 'it gave no reason', code = 'UNKNOWN' } = error ?? errors[0] ?? {};
  return new SourceError(`The service refused the page’s request: ${message} (${code}).`);
}
