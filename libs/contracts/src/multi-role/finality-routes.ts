import { MULTI_ROLE_BASE_PATH } from './routes.js';

/** Returns the routes of a generation; no other code names them. */
export const FINALITY_ROUTES = {
  v2: routesOf('v2', '', 'finalized'),
  v3: routesOf('v3', '-v3', 'finalized-v3'),
} as const;

function routesOf(generation: 'v2' | 'v3', suffix: '' | '-v3', feed: 'finalized' | 'finalized-v3') {
  const launch = `${MULTI_ROLE_BASE_PATH}/{launchId}`;
  const record = `${MULTI_ROLE_BASE_PATH}/${feed}/{onchainLaunchId}`;
  return {
    transactionHint: {
      path: `${launch}/transaction-hints${suffix}`,
      schemaVersion: `service.multi-role-transaction-hint.${generation}`,
      receiptSchemaVersion: `service.multi-role-transaction-hint-receipt.${generation}`,
    },
    finality: {
      path: `${launch}/finality${suffix}`,
      schemaVersion: `service.multi-role-finality-status.${generation}`,
    },
    feed: {
      list: `${MULTI_ROLE_BASE_PATH}/${feed}`,
      record,
      image: `${record}/image/{sha256hex}`,
      listSchemaVersion: `service.multi-role-finalized-metadata-list.${generation}`,
      recordSchemaVersion: `service.multi-role-finalized-metadata.${generation}`,
    },
  };
}

export const FINALITY_DISCOVERY_PATH = `${MULTI_ROLE_BASE_PATH}/derived-finality-v3/discovery`;
export const FINALITY_READINESS_PATH = `${MULTI_ROLE_BASE_PATH}/derived-finality-v3/readiness`;
