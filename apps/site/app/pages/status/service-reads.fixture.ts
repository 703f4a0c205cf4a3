import type { Read } from '../../site/gateway.js';
import type { IndexedSource, ServiceReads } from './service-state.js';

export const value = <Value>(of: Value): Read<Value> => ({ is: 'value', value: of });
export const UNREAD: Read<never> = {
  is: 'unavailable',
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service did not answer.',
  requestId: null,
};

/** A source of the index as the service shows it. */
export const aSource = (changes: Partial<IndexedSource> = {}): IndexedSource => ({
  sourceVersion: 'custom-router-v1',
  factoryVersion: null,
  chainId: 4663,
  address: `0x${'11'.repeat(20)}`,
  releaseDigest: `sha256:${'e8'.repeat(32)}`,
  status: 'active',
  state: 'following',
  stateReason: null,
  freshness: 'ok',
  progressedAt: '2026-11-28T11:59:50.000Z',
  checkpoint: { number: '50469641', hash: `0x${'22'.repeat(32)}`, confirmedAt: '2026-11-28T11:59:50.000Z' },
  finalizedHead: '50469641',
  lagBlocks: '0',
  coverage: { from: '50469365', through: '50469641' },
  quarantine: { total: 0, byReason: {}, dismissed: 0, dismissals: [] },
  holds: { total: 0, places: [] },
  observers: 2,
  ...changes,
});

const GATES = { publicWrites: true, publicAuthorization: true, releaseReady: true };
export type Readiness = Extract<ServiceReads['readiness'], { is: 'value' }>['value'];
export const READINESS: Readiness = {
  schemaVersion: 'service.chain-launch-readiness.v1',
  chainId: '4663',
  caip2: 'eip155:4663',
  status: 'ready',
  reasonCodes: [],
  checkpoint: { blockNumber: '50469650', blockHash: `0x${'33'.repeat(32)}` },
  profile: '4.1.0',
  openApiUrl: '/v4/openapi.json',
  openApiSha256: `sha256:${'44'.repeat(32)}`,
  gates: GATES,
  requestAuthorization: { requestAuthorized: false },
};
export type Finality = Extract<ServiceReads['finality'], { is: 'value' }>['value'];
export const FINALITY: Finality = {
  schemaVersion: 'service.multi-role-finality-readiness.v3',
  status: 'ready',
  reasonCodes: [],
  recovery: {
    router: `0x${'55'.repeat(20)}`,
    checkpoint: { blockNumber: '50469640', blockHash: `0x${'66'.repeat(32)}` },
    head: { blockNumber: '50469640' },
    lagBlocks: '0',
    observation: 'agreed',
    reportedAt: '2026-11-28T11:59:55.000Z',
  },
  checkedAt: '2026-11-28T12:00:00.000Z',
};

/** The members of the discovery document that the page reads. */
const discovery = (gates: typeof GATES) =>
  ({ customLaunchApi: { versions: { v4: gates } } }) as unknown as Extract<
    ServiceReads['discovery'],
    { is: 'value' }
  >['value'];

/** A service in which everything works. */
export const someReads = (changes: Partial<ServiceReads> = {}): ServiceReads => ({
  health: value({ status: 'ok' }),
  discovery: value(discovery(GATES)),
  readiness: value(READINESS),
  finality: value(FINALITY),
  index: value({
    schemaVersion: 'service.index-status.v2',
    status: 'ok',
    updatedAt: '2026-11-28T11:59:50.000Z',
    sources: [
      aSource(),
      aSource({ chainId: 1, sourceVersion: 'ethereum-custom-v1', releaseDigest: `sha256:${'e1'.repeat(32)}` }),
    ],
    heldEthereumRecords: { quarantined: 0, dismissals: [] },
    heldRecords: { quarantined: 0, dismissals: [] },
  }),
  modules: value({
    moduleContributions: { submissions: true },
    apiKeyIssuance: false,
  } as Extract<ServiceReads['modules'], { is: 'value' }>['value']),
  review: value({ reviewAvailable: true } as Extract<ServiceReads['review'], { is: 'value' }>['value']),
  ...changes,
});

/** The same service with other gates in its discovery document. */
export const discovered = (changes: Partial<typeof GATES>): ServiceReads['discovery'] =>
  value(discovery({ ...GATES, ...changes }));
