import { CAIP2, CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import {
  assessedScenarios,
  SCENARIO_IDS,
  SCENARIO_PROFILE,
  SCENARIOS,
  type LaunchCapabilities,
  type LaunchCoverage,
  type LaunchGuide,
  type LaunchReadiness,
  type StateReport,
  type ScenarioId,
} from '@launch/contracts/reports';
import { assessableProfile, seedCoverage } from '../../../core/gates/verifier-coverage.js';
import { ERROR_RECOVERY, workflowSteps } from './launch-guide.js';
import { serviceReadiness, type ReportState } from './report-state.js';

const CHAIN = { chainId: '4663', caip2: CAIP2 } as const;
const NOT_AUTHORIZED = { requestAuthorized: false } as const;
function coverage({ reading }: ReportState): LaunchCoverage {
  const profile = reading.release.bound?.profile ?? null;
  return {
    schemaVersion: 'service.chain-launch-coverage.v1',
    ...CHAIN,
    profile,
    serviceReadiness: serviceReadiness(reading),
    representableArchitecture:
      profile === null
        ? null
        : {
            officialPools: 1,
            poolPair: 'native-token',
            poolFee: 0,
            tickSpacing: 60,
            tokenAndHookMayShareAddress: false,
            moduleSelections: false,
          },
    activatedVerifierCoverage: { seedV1: seedCoverage(reading) },
    requestAuthorization: NOT_AUTHORIZED,
  };
}

const guide = ({ reading, serves }: ReportState): LaunchGuide => ({
  schemaVersion: 'service.chain-launch-guide.v1',
  ...CHAIN,
  profile: reading.release.bound?.profile ?? null,
  readiness: serviceReadiness(reading),
  workflow: workflowSteps(serves),
  scenarioProfileVersion: SCENARIO_PROFILE,
  scenarios: assessedScenarios(assessableProfile(reading)),
  errorRecovery: [...ERROR_RECOVERY],
  authority: NOT_AUTHORIZED,
});

function capabilities({ reading, serves }: ReportState): LaunchCapabilities {
  const { bound } = reading.release;
  const takesRequests = serves('POST', `${CHAIN_BASE_PATH}/custom-launches`);
  const feature = (id: ScenarioId): LaunchCapabilities['features'][ScenarioId] => {
    const { surface, obligations, assessment } = SCENARIOS[id];
    return {
      publicRequestSurface: surface === 'custom-launches' && !takesRequests ? 'not-provided' : surface,
      publiclyLaunchable:
        assessment === 'requires-exact-preflight' &&
        takesRequests &&
        seedCoverage(reading) === 'proof-available' &&
        reading.reasonCodes.length === 0,
      findingObligations: [...obligations],
    };
  };
  return {
    schemaVersion: 'service.chain-launch-capabilities.v1',
    ...CHAIN,
    profile: bound?.profile ?? null,
    context: bound === null ? null : { contextHash: bound.contextHash, document: bound.context },
    tokenAndHookMayShareAddress: false,
    seedV1: seedCoverage(reading),
    features: Object.fromEntries(SCENARIO_IDS.map((id) => [id, feature(id)])) as LaunchCapabilities['features'],
    requestAuthorization: NOT_AUTHORIZED,
  };
}

function readiness({ reading, checkpoint, hasPrice }: ReportState): LaunchReadiness {
  const { bound } = reading.release;
  const reasonCodes = [
    ...reading.reasonCodes,
    ...(checkpoint === null ? ['CHECKPOINT_NOT_AGREED'] : []),
    ...(bound === null || hasPrice ? [] : ['CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED']),
  ];
  return {
    schemaVersion: 'service.chain-launch-readiness.v1',
    ...CHAIN,
    status: reasonCodes.length === 0 ? 'ready' : 'unavailable',
    reasonCodes,
    checkpoint,
    profile: bound?.profile ?? null,
    openApiUrl: bound?.openApi.path ?? null,
    openApiSha256: bound?.openApi.sha256 ?? null,
    gates: reading.gates,
    requestAuthorization: NOT_AUTHORIZED,
  };
}

/** Builds every report from one state (docs/reference/custom-launch.md#public-reports). */
export const REPORT_MAKERS = {
  'launch-coverage': coverage,
  'launch-guide': guide,
  capabilities,
  readiness,
} as const satisfies Record<StateReport, (state: ReportState) => object>;
