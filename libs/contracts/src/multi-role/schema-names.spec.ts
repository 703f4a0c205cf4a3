import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.js';

/** Exact schema names of the multi-role API v2, each with its schema. A released name never changes. */
const NAMES = {
  createRequestSchema: 'service.multi-role-custom-launch-create-request.v2',
  preflightResultSchema: 'service.multi-role-custom-launch-preflight.v2',
  sourceAssessmentSchema: 'service.multi-role-source-assessment.v2',
  transactionHintSchema: 'service.multi-role-transaction-hint.v2',
  transactionHintV3Schema: 'service.multi-role-transaction-hint.v3',
  finalityStatusSchema: 'service.multi-role-finality-status.v2',
  finalityStatusV3Schema: 'service.multi-role-finality-status.v3',
  finalityDiscoverySchema: 'service.multi-role-finality-discovery.v3',
  finalizedRecordSchema: 'service.multi-role-finalized-metadata.v2',
  finalizedRecordV3Schema: 'service.multi-role-finalized-metadata.v3',
  finalizedListSchema: 'service.multi-role-finalized-metadata-list.v2',
  finalizedListV3Schema: 'service.multi-role-finalized-metadata-list.v3',
  packConfigSchema: 'service.multi-role-request-pack-config.v2',
  packReportSchema: 'service.multi-role-request-pack-report.v2',
  packErrorSchema: 'service.multi-role-request-pack-error.v2',
  launchNumbersSchema: 'service.multi-role-launch-numbers.v1',
  inventoryProjectInputSchema: 'service.inventory-project-input.v3',
} as const;

describe('The published schema names', () => {
  it.each(Object.entries(NAMES) as [keyof typeof NAMES, string][])('name %s as %s, which is closed', (schema, name) => {
    const { shape } = contracts[schema];
    expect(shape.schemaVersion.value).toBe(name);
    const open = contracts[schema]
      .safeParse({ schemaVersion: name, surprise: 1 })
      .error?.issues.filter(({ code }) => code === 'unrecognized_keys');
    expect(open).toMatchObject([{ path: [], keys: ['surprise'] }]);
  });
});
