import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '@launch/contracts/errors';
import type { PreflightResult } from '@launch/contracts/multi-role';
import type { ErrorBody } from '@launch/contracts/validation';
import { buying, freshKey, freshNonce, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import type { Change } from './fixtures/request-changes.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { errorOf, isTerminal, type Answer, type LaunchApi } from './launch-api.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 240_000;

let stack: StackAccess;
let desk: LaunchDesk;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
  api = desk.api;
}, STARTS_WITHIN_MS);

describe('a launch that the rehearsal refuses before custody', () => {
  const TOO_MANY = 2n ** 200n;
  const nonceIs =
    (nonce: string, change: Change): Change =>
    (request) => {
      request.nonce = nonce;
      change(request);
    };

  it(
    'has a minimum that the pool cannot give: preflight warns, the finding names both numbers, and the nonce becomes free for a lower minimum',
    async () => {
      const nonce = freshNonce();
      const greedy = await desk.request(nonceIs(nonce, buying(TOO_MANY)));
      const key = freshKey();
      const preflight = (await api.preflight(greedy)) as Answer<PreflightResult>;
      expect([preflight.status, preflight.body]).toMatchObject([
        200,
        {
          source: { disposition: 'source_supported', findingCodes: [], remediation: null },
          findings: [{ code: 'SIMULATION_REVERTED', severity: 'warning' }],
        },
      ]);

      const { launchId } = await desk.reserve(greedy, key);
      const resource = await api.until(launchId, isTerminal);
      expect(resource).toMatchObject({
        status: 'action_required',
        statusReason: 'MULTI_ROLE_EVIDENCE_REQUIRED',
        wallet: null,
        sourceAssessment: { disposition: 'source_supported', findingCodes: [] },
      });
      const [finding] = resource.findings as [Finding];
      expect(resource.findings).toHaveLength(1);
      expect(finding).toMatchObject({
        code: 'SIMULATION_REVERTED',
        layer: 'simulation',
        severity: 'error',
        path: '/fundingPlan/minimumTokensOut',
        expected: `at least ${TOO_MANY} base units of the token from the first buy`,
        actual: expect.stringMatching(
          new RegExp(`^TooFewTokens\\(minimumTokensOut: ${TOO_MANY}, tokenDelta: [1-9]\\d*\\)$`),
        ),
        remediation: { action: 'correct_and_resubmit' },
      });
      expect(preflight.body.findings).toEqual([{ ...finding, severity: 'warning' }]);
      const replay = (await api.create(greedy, key)) as Answer<ErrorBody>;
      expect([replay.status, errorOf(replay)]).toMatchObject([
        422,
        { code: 'MULTI_ROLE_EVIDENCE_REQUIRED', retryable: false, statusUrl: resource.statusUrl, findings: [finding] },
      ]);
      expect(await recordsOf(stack, launchId)).toMatchObject({
        decisions: [{ kind: 'refusal', permitDigest: null }],
        signatures: [],
        handoffs: [],
        nonceHeld: false,
      });

      const gives = BigInt(/tokenDelta: (\d+)/.exec(finding.actual!)![1]!);
      const modest = await desk.request(nonceIs(nonce, buying(gives)));
      expect(((await api.preflight(modest)) as Answer<PreflightResult>).body.findings).toEqual([]);
      const { wallet } = await desk.authorized((await desk.reserve(modest, freshKey())).launchId);
      expect(wallet).not.toBeNull();
    },
    DECIDES_WITHIN_MS,
  );
});
