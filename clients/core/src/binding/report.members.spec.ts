import { describe, expect, it } from '@jest/globals';
import { customLaunchFinding } from '@launch/contracts/errors';
import { type CustomLaunchCredential, credentialSchema } from '@launch/contracts/launch';
import { planErrorsSchema } from '@launch/contracts/plans';
import {
  type CustomLaunchDiscovery,
  discoverySchema,
  type InitialBuyQuote,
  initialBuyQuoteSchema,
  type LaunchCapabilities,
  launchCapabilitiesSchema,
  type LaunchCoverage,
  launchCoverageSchema,
  type LaunchReadiness,
  launchReadinessSchema,
} from '@launch/contracts/reports';
import { errorBodySchema } from '@launch/contracts/validation';
import { recordedAnswer } from '../fixtures/recorded-answers.fixture.js';
import { bindingCase, untestedMembers } from '../fixtures/bound-members.fixture.js';
import {
  CREDENTIAL_MEMBERS,
  DISCOVERY_MEMBERS,
  faultsOf,
  INITIAL_BUY_QUOTE_MEMBERS,
  LAUNCH_CAPABILITIES_MEMBERS,
  LAUNCH_COVERAGE_MEMBERS,
  LAUNCH_READINESS_MEMBERS,
  PLAN_REFUSAL_MEMBERS,
  REFUSAL_MEMBERS,
  refusalSubject,
} from './index.js';

const gates = { publicAuthorization: true, publicWrites: true, releaseReady: true };
const chain = () => ({ chainId: '4663' as const, caip2: 'eip155:4663' as const, ...gates });
/** The document of a deployment that accepts custom launches. */
const DISCOVERY: CustomLaunchDiscovery = discoverySchema.parse({
  schemaVersion: 'service.custom-launch-discovery.v1',
  deploymentRevision: `sha256:${'7'.repeat(64)}`,
  issuedAt: '2026-11-20T12:00:00.000Z',
  ttlSeconds: 60,
  customLaunchApi: {
    versions: {
      v4: {
        profile: '4.1.0',
        ...gates,
        platformFeePolicy: {
          rateBps: 20,
          ratePpm: 2_000,
          ratePercent: '0.20',
          recipient: `0x${'2'.repeat(40)}`,
          scope: 'native-side-of-every-official-pool-swap',
          enforcement: 'immutable-hook',
        },
        externalIndexingGuaranteed: false,
        openApiUrl: '/v4/openapi.json',
        openApiSha256: `sha256:${'3'.repeat(64)}`,
        chains: [chain()],
      },
      multiRoleV2: {
        capabilitiesUrl: '/v4/chains/4663/multi-role-custom-launches/capabilities',
        contextHash: null,
        readiness: 'unavailable',
        openApiUrl: '/openapi.json',
        openApiSha256: `sha256:${'6'.repeat(64)}`,
      },
      planTransport: { contractVersion: '4.6.2', responseVersions: ['1.0', '1.1', '1.2'], capabilitiesUrl: null },
    },
    chains: [chain()],
  },
  documentation: { path: '/docs/index.json', contentSha256: `sha256:${'8'.repeat(64)}` },
  clients: { launchCli: null, indexReader: null },
});

const REQUEST_ID = `req_${'0'.repeat(26)}`;
const QUOTE = recordedAnswer<InitialBuyQuote>('getInitialBuyQuote');
const headers = new Headers({ 'x-request-id': REQUEST_ID, 'retry-after': '5' });
const ERROR = {
  code: 'RATE_LIMITED' as const,
  message: 'Too many.',
  requestId: REQUEST_ID,
  retryable: true,
  retryAfterSeconds: 5,
  statusUrl: null,
  findings: [],
};
const PLAN_ERRORS = planErrorsSchema.parse({
  schemaVersion: 'service.custom-launch-plan-errors.v1',
  requestId: REQUEST_ID,
  status: 503,
  retryable: true,
  retryAfterSeconds: 5,
  statusUrl: null,
  errors: [customLaunchFinding('SERVICE_UNAVAILABLE', '')],
  truncated: false,
});

describe('Each bound member', () => {
  it.each([
    [
      'discovery',
      bindingCase(DISCOVERY_MEMBERS, DISCOVERY, undefined, discoverySchema.loose(), [
        ['/customLaunchApi/versions/v4/openApiSha256', null],
        ['/customLaunchApi/versions/v4/platformFeePolicy/ratePpm', 1],
      ]),
    ],
    [
      'the capabilities',
      bindingCase(
        LAUNCH_CAPABILITIES_MEMBERS,
        recordedAnswer<LaunchCapabilities>('getLaunchCapabilities'),
        undefined,
        launchCapabilitiesSchema,
      ),
    ],
    [
      'readiness',
      bindingCase(
        LAUNCH_READINESS_MEMBERS,
        recordedAnswer<LaunchReadiness>('getLaunchReadiness'),
        undefined,
        launchReadinessSchema,
        [['/openApiSha256', null]],
      ),
    ],
    [
      'the coverage report',
      bindingCase(
        LAUNCH_COVERAGE_MEMBERS,
        recordedAnswer<LaunchCoverage>('getLaunchCoverage'),
        undefined,
        launchCoverageSchema,
        [['/representableArchitecture', null]],
      ),
    ],
    ['a quote', bindingCase(INITIAL_BUY_QUOTE_MEMBERS, QUOTE, QUOTE, initialBuyQuoteSchema)],
    [
      'a credential',
      bindingCase(
        CREDENTIAL_MEMBERS,
        recordedAnswer<CustomLaunchCredential>('getCredential'),
        undefined,
        credentialSchema,
        [['/boundController', null]],
      ),
    ],
    ['a refusal', bindingCase(REFUSAL_MEMBERS, { error: ERROR }, refusalSubject(429, headers), errorBodySchema)],
    [
      'a refusal of a plan route',
      bindingCase(PLAN_REFUSAL_MEMBERS, PLAN_ERRORS, refusalSubject(503, headers), planErrorsSchema),
    ],
  ])('refuses another value in its place in %s, which is otherwise accepted', (_name, one) => {
    expect(untestedMembers(one)).toEqual({ faults: [], untested: [] });
  });
});

describe('A refusal', () => {
  it("is not compared with a proxy's request id, nor with headers that a proxy left out", () => {
    for (const other of [new Headers(), new Headers({ 'x-request-id': 'proxy-1', 'retry-after': 'tomorrow' })])
      expect(faultsOf(REFUSAL_MEMBERS, { error: ERROR }, refusalSubject(429, other))).toEqual([]);
  });
});
