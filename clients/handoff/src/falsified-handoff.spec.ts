import { customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import { parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, finalityEvidenceSchema, walletHandoffSchema } from '@launch/contracts/multi-role';
import { stepAuthorizationSchema } from '@launch/contracts/plans';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { falsified } from '../../core/src/fixtures/falsified.fixture.js';
import { recordedEvidence, recordedRequest } from '../../verify/src/fixtures/recorded-launch.fixture.js';
import { deploymentOfContext } from './deployment-of-context.js';
import { descriptorOf, shownBy } from './fixtures/descriptors.fixture.js';
import { deploymentOf, signedHandoff, signedPlan } from './fixtures/signed-handoff.fixture.js';
import type { HandoffClaim } from './handoff.types.js';
import { agreesThroughout, reviewHandoff } from './review-handoff.js';

/** The members that only the service observed. The transaction does not contain them, and nothing here recomputes them. */
const OBSERVED = /^\/(createdAt|artifactSha256|simulation\/\w+|usdReference(\/\w+)?)$/;

/** Reviews the hand-off with every member changed to another value that its schema accepts. */
function everyFalsification(claim: HandoffClaim, schema: z.ZodType): { pointer: string; agrees: boolean }[] {
  return [...falsified(claim.handoff, schema)].map(({ pointer, body }) => ({
    pointer,
    agrees: agreesThroughout(reviewHandoff({ ...claim, handoff: body })),
  }));
}

function expectEachFound(claim: HandoffClaim, schema: z.ZodType): void {
  expect(reviewHandoff(claim).checks.filter(({ verdict }) => verdict !== 'agrees')).toEqual([]);
  const found = everyFalsification(claim, schema);
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ pointer, agrees }) => agrees !== OBSERVED.test(pointer))).toEqual([]);
}

describe('A hand-off with another value in any one member', () => {
  it('is refused for a custom launch', async () => {
    const { bytes, context, handoff } = await signedHandoff();
    const claim = { handoff, requestBytes: bytes, context, trusted: [deploymentOf(context)] };
    expectEachFound({ family: 'custom-launch', ...claim }, customLaunchHandoffSchema);
  });

  it('is refused for a multi-role launch that was recorded on a chain', () => {
    const requestBytes = recordedRequest();
    const { context } = createRequestSchema.parse(parseStrictJson(requestBytes));
    const { handoff } = finalityEvidenceSchema.parse(parseStrictJson(recordedEvidence()));
    const trusted = [deploymentOfContext('multi-role', context)];
    const claim: HandoffClaim = { family: 'multi-role', handoff, requestBytes, context, trusted };
    expectEachFound(claim, walletHandoffSchema);
    const { facts, calls } = reviewHandoff(claim).transaction!;
    const shown = shownBy(descriptorOf('v2'), calls[0]!);
    expect(shown.size).toBe(9);
    expect(new Map(facts.filter(({ label }) => shown.has(label)).map(({ label, value }) => [label, value]))).toEqual(
      shown,
    );
  });

  it.each(['sequential', 'atomic'] as const)('is refused for every step of a plan that is %s', async (mode) => {
    const { bytes, context, steps } = await signedPlan(mode);
    for (const { stepId, authorization } of steps) {
      const claim = { handoff: authorization, stepId, requestBytes: bytes, context, trusted: [deploymentOf(context)] };
      expectEachFound({ family: 'plan', ...claim }, stepAuthorizationSchema);
    }
  });
});
