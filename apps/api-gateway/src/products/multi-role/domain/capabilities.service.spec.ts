import { describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { capabilitiesSchema, MULTI_ROLE_BASE_PATH, type LaunchContext } from '@launch/contracts/multi-role';
import { servedContext } from '../../../fixtures/served-context.js';
import { testChain } from '../../../fixtures/test-chain.js';
import { testContext } from '../../../fixtures/test-request.js';
import { DEFAULT_LIMITS } from '../../../platform/configuration/limits.js';
import { CapabilitiesService } from './capabilities.service.js';

const routes = Object.keys(capabilitiesSchema.shape.routes.shape).map((discovery) => ({
  discovery,
  path: `${MULTI_ROLE_BASE_PATH}/${discovery}`,
}));
const openapi = { routes, contentSha256: `sha256:${'0'.repeat(64)}` } as unknown as ConstructorParameters<
  typeof CapabilitiesService
>[1];

async function capabilities(context: LaunchContext | null = testContext()) {
  const chain = testChain();
  let now = Date.UTC(2026, 10, 20);
  const contexts = await servedContext({ context, chain, clock: { now: () => now } });
  const service = new CapabilitiesService(contexts, openapi, new Map(), DEFAULT_LIMITS);
  const read = () => capabilitiesSchema.parse(JSON.parse(Buffer.from(service.bytes()).toString()));
  const checkAgain = async (reasons: readonly string[]) => {
    chain.reasons = reasons;
    now += 1_000;
    await contexts.start();
    contexts.onApplicationShutdown();
  };
  return { service, read, checkAgain };
}

describe('Capabilities of the multi-role API', () => {
  it('contain the context, its commitments and its policy in canonical JSON', async () => {
    const { service, read } = await capabilities();
    const text = Buffer.from(service.bytes()).toString();
    expect(text).toBe(canonicalJsonText(JSON.parse(text)));
    expect(read()).toMatchObject({
      routeId: 'custom-launch:create:multi-role-v2',
      routerProtocol: 'service.multi-role-launch-stamp-router.v2',
      context: testContext(),
      contextCommitments: commitContext(testContext()),
      readiness: { status: 'ready', reasonCodes: [] },
      limits: { compileBudgetSeconds: 120 },
      runtimeInstructionPolicy: testContext().profile.instructionPolicy,
    });
  });

  it('have no context in an unregistered deployment, and report this', async () => {
    expect((await capabilities(null)).read()).toMatchObject({
      routeId: 'custom-launch:create:multi-role-v2',
      context: null,
      contextCommitments: null,
      readiness: { status: 'unavailable', reasonCodes: ['CONTEXT_NOT_CONFIGURED'] },
      runtimeInstructionPolicy: null,
    });
  });

  it('change with the readiness of the context, and are written once for each check that changes it', async () => {
    const { service, read, checkAgain } = await capabilities();
    const after = async (reasons: readonly string[]) => {
      await checkAgain(reasons);
      expect(service.bytes()).toBe(service.bytes());
      const { status, reasonCodes, checkedAt } = read().readiness;
      return [status, ...reasonCodes, checkedAt];
    };
    expect(await after([])).toEqual(['ready', '2026-11-20T00:00:01.000Z']);
    expect(await after([])).toEqual(['ready', '2026-11-20T00:00:02.000Z']);
    expect(await after(['OBSERVERS_INDETERMINATE'])).toEqual(['ready', '2026-11-20T00:00:02.000Z']);
    expect(await after(['ROUTER_CODE_MISMATCH'])).toEqual([
      'unavailable',
      'ROUTER_CODE_MISMATCH',
      '2026-11-20T00:00:04.000Z',
    ]);
  });
});
