import { describe, expect, it } from '@jest/globals';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  finalityDiscoverySchema,
  finalityReadinessSchema,
  type LaunchContext,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import { servedContext } from '../../../fixtures/served-context.js';
import { testContext } from '../../../fixtures/test-request.js';
import type { StoredReport } from '../data/recovery.repository.js';
import { DerivedFinalityService } from './derived-finality.service.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const V3_CONTEXT = testContext({ derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 });
const ROUTER = testContext().chainDeployment.router.address;
const EARLIER_ROUTER = `0x${'3'.repeat(40)}` as const;
const report = (more: Partial<StoredReport> = {}): StoredReport => ({
  router: ROUTER,
  checkpointNumber: '90',
  checkpointHash: `0x${'b'.repeat(64)}`,
  headNumber: '100',
  observation: 'agreed',
  reportedAt: new Date(NOW),
  ...more,
});

interface Deployment {
  readonly context?: LaunchContext | null;
  readonly reports?: readonly StoredReport[];
  readonly paused?: boolean;
  readonly now?: number;
}

async function serviceOf({ context = V3_CONTEXT, reports = [], paused = false, now = NOW }: Deployment) {
  const contexts = await servedContext({ context });
  const rows = { lastReports: async () => reports };
  return new DerivedFinalityService(contexts, rows, { isPaused: () => paused }, { now: () => now });
}
const readiness = async (deployment: Deployment) =>
  finalityReadinessSchema.parse(await (await serviceOf(deployment)).readiness());

describe('The readiness of the recovery', () => {
  it('is unavailable without a context, under an unknown policy and before the first report', async () => {
    const reasons = async (deployment: Deployment) => {
      const { status, reasonCodes } = await readiness(deployment);
      return [status, ...reasonCodes];
    };
    expect(await reasons({ context: null })).toEqual(['unavailable', 'CONTEXT_NOT_CONFIGURED']);
    const context = testContext({ derivedContractFinality: 'service.derived-contract-finality.v2' });
    expect(await reasons({ context, reports: [report()] })).toEqual(['unavailable', 'FINALITY_POLICY_UNKNOWN']);
    expect(await reasons({})).toEqual(['unavailable', 'RECOVERY_NEVER_REPORTED']);
  });

  it('reports the checkpoint, the head and the blocks between them', async () => {
    expect(await readiness({ reports: [report()] })).toMatchObject({
      status: 'ready',
      reasonCodes: [],
      recovery: { router: ROUTER, checkpoint: { blockNumber: '90' }, head: { blockNumber: '100' }, lagBlocks: '10' },
    });
    expect(await readiness({ reports: [report({ headNumber: '80' })] })).toMatchObject({
      status: 'ready',
      recovery: { lagBlocks: '0' },
    });
  });

  it('is catching_up while the checkpoint is more than a thousand blocks behind or unknown', async () => {
    expect(await readiness({ reports: [report({ headNumber: '5000' })] })).toMatchObject({
      status: 'catching_up',
      reasonCodes: ['RECOVERY_BEHIND'],
      recovery: { lagBlocks: '4910' },
    });
    expect(await readiness({ reports: [report({ checkpointNumber: null })] })).toMatchObject({
      status: 'catching_up',
      recovery: { lagBlocks: null },
    });
  });

  it('is unavailable while the observers disagree, and after two minutes without a report', async () => {
    expect(await readiness({ reports: [report({ observation: 'indeterminate' })] })).toMatchObject({
      status: 'unavailable',
      reasonCodes: ['RECOVERY_INDETERMINATE'],
    });
    expect(await readiness({ reports: [report()], now: NOW + 120_001 })).toMatchObject({
      status: 'unavailable',
      reasonCodes: ['RECOVERY_SILENT'],
    });
  });

  it('names a pause among its reasons, and follows the last report despite it', async () => {
    expect(await readiness({ reports: [report()], paused: true })).toMatchObject({
      status: 'ready',
      reasonCodes: ['RECOVERY_PAUSED'],
    });
    expect(await readiness({ reports: [report()], paused: true, now: NOW + 120_001 })).toMatchObject({
      status: 'unavailable',
      reasonCodes: ['RECOVERY_PAUSED', 'RECOVERY_SILENT'],
    });
  });

  it('is that of the router whose search is furthest behind', async () => {
    const worst = (earlier: Partial<StoredReport>) =>
      readiness({ reports: [report(), report({ router: EARLIER_ROUTER, ...earlier })] });
    expect(await worst({ observation: 'indeterminate' })).toMatchObject({
      status: 'unavailable',
      reasonCodes: ['RECOVERY_INDETERMINATE'],
      recovery: { router: EARLIER_ROUTER },
    });
    expect(await worst({ checkpointNumber: null })).toMatchObject({
      status: 'catching_up',
      recovery: { router: EARLIER_ROUTER },
    });
    expect(await worst({})).toMatchObject({ status: 'ready', recovery: { router: ROUTER } });
  });
});

describe('The discovery of finality', () => {
  const routes = (suffix: string, feed: string, version: string) => ({
    transactionHint: {
      path: `${MULTI_ROLE_BASE_PATH}/{launchId}/transaction-hints${suffix}`,
      schemaVersion: `service.multi-role-transaction-hint.${version}`,
    },
    finality: {
      path: `${MULTI_ROLE_BASE_PATH}/{launchId}/finality${suffix}`,
      schemaVersion: `service.multi-role-finality-status.${version}`,
    },
    feed: {
      list: `${MULTI_ROLE_BASE_PATH}/${feed}`,
      record: `${MULTI_ROLE_BASE_PATH}/${feed}/{onchainLaunchId}`,
      image: `${MULTI_ROLE_BASE_PATH}/${feed}/{onchainLaunchId}/image/{sha256hex}`,
      listSchemaVersion: `service.multi-role-finalized-metadata-list.${version}`,
      recordSchemaVersion: `service.multi-role-finalized-metadata.${version}`,
    },
  });

  it.each([
    ['v2', testContext()],
    ['v3', V3_CONTEXT],
    [null, testContext({ derivedContractFinality: 'v3' })],
  ] as const)(
    'names both generations and the one marker, with %s as the current generation',
    async (current, context) => {
      expect(finalityDiscoverySchema.parse((await serviceOf({ context })).discovery())).toMatchObject({
        schemaVersion: 'service.multi-role-finality-discovery.v3',
        current,
        selection: { absent: 'v2', policyV3: DERIVED_CONTRACT_FINALITY_V3 },
        v2: routes('', 'finalized', 'v2'),
        v3: routes('-v3', 'finalized-v3', 'v3'),
      });
    },
  );
});
