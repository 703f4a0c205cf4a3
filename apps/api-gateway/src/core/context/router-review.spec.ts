import { describe, expect, it } from '@jest/globals';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { LINEAR_INSTRUCTION_POLICY } from '@launch/evm';
import { testContext, testReviews } from '../../fixtures/test-request.js';
import { reviewReasons, routerReviewsSchema, type ReviewedRouter } from './router-review.js';

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const review = testReviews()[0] as ReviewedRouter;
const linear = { policyId: LINEAR_INSTRUCTION_POLICY.id, policyHash: canonicalKeccak(LINEAR_INSTRUCTION_POLICY) };
const change = (edit: (context: LaunchContext) => void): LaunchContext => {
  const context = structuredClone(testContext());
  edit(context);
  return context;
};
const policyOf = (context: LaunchContext) => context.profile.instructionPolicy;

const table: readonly (readonly [string, LaunchContext, readonly ReviewedRouter[], readonly string[]])[] = [
  ['a reviewed router under its policy', testContext(), [review], []],
  [
    'a reviewed router among others',
    testContext(),
    [{ ...review, ...linear, router: address('d'), runtimeCodeHash: word('9') }, review],
    [],
  ],
  ['a router without a review', testContext(), [], ['ROUTER_UNREVIEWED']],
  [
    'another router',
    testContext(),
    [{ ...review, router: address('d'), runtimeCodeHash: word('9') }],
    ['ROUTER_UNREVIEWED'],
  ],
  [
    'the reviewed code at an unreviewed address',
    testContext(),
    [{ ...review, router: address('d') }],
    ['ROUTER_UNREVIEWED'],
  ],
  [
    'other code at the reviewed address',
    testContext(),
    [{ ...review, runtimeCodeHash: word('9') }],
    ['ROUTER_CODE_UNREVIEWED'],
  ],
  ["an old router under the new policy's name", testContext(), [{ ...review, ...linear }], ['ROUTER_RELABELLED']],
  [
    "an old router's code at a new address",
    testContext(),
    [{ ...review, ...linear, router: address('d') }],
    ['ROUTER_RELABELLED', 'ROUTER_UNREVIEWED'],
  ],
  [
    "the right policy's id with another hash in the review",
    testContext(),
    [{ ...review, policyHash: word('9') }],
    ['ROUTER_RELABELLED'],
  ],
  [
    'an unknown policy',
    change((context) => {
      policyOf(context).id = 'service.runtime-instructions.reachable.v2';
    }),
    [{ ...review, policyId: 'service.runtime-instructions.reachable.v2' }],
    ['INSTRUCTION_POLICY_UNKNOWN'],
  ],
  [
    "a known policy's id over another document",
    change((context) => {
      policyOf(context).document['forbidden'] = [];
    }),
    [review],
    ['INSTRUCTION_POLICY_UNKNOWN'],
  ],
  [
    'an edited document that is hashed anew',
    change((context) => {
      policyOf(context).document['forbidden'] = [];
      policyOf(context).policyHash = canonicalKeccak(policyOf(context).document);
    }),
    [review],
    ['INSTRUCTION_POLICY_UNKNOWN', 'ROUTER_RELABELLED'],
  ],
  [
    'the name of one policy over the document of the other',
    change((context) => {
      policyOf(context).policyHash = linear.policyHash;
      policyOf(context).document = JSON.parse(JSON.stringify(LINEAR_INSTRUCTION_POLICY));
    }),
    [review],
    ['INSTRUCTION_POLICY_UNKNOWN', 'ROUTER_RELABELLED'],
  ],
  [
    'a recipe of another release',
    change(({ profile }) => {
      profile.recipes[0]!.templateSetHash = word('9');
    }),
    [review],
    ['RECIPE_TEMPLATES_UNKNOWN'],
  ],
  [
    'an unknown recipe',
    change(({ profile }) => {
      profile.recipes.push({
        id: 'native20.other',
        version: '1',
        templateSetHash: profile.recipes[0]!.templateSetHash,
      });
    }),
    [review],
    ['RECIPE_TEMPLATES_UNKNOWN'],
  ],
  [
    'fewer recipes than this build has',
    change(({ profile }) => {
      profile.recipes = [];
    }),
    [review],
    [],
  ],
  [
    'bindings to another router',
    change((context) => {
      context.chainBindings.router = address('d');
    }),
    [review],
    ['CONTEXT_BINDINGS_CONTRADICT'],
  ],
];

describe('The review of a context', () => {
  it.each(table)('judges %s before any chain read', (_name, context, reviewed, reasons) =>
    expect(reviewReasons(context, reviewed).sort()).toEqual([...reasons].sort()),
  );

  it.each([
    ['one router for two policies', { routers: [review, { ...review, ...linear }] }],
    ['another schema', { schemaVersion: 'service.multi-role-reviewed-routers.v2' }],
    ['an unknown field', { note: '' }],
    ['a checksummed address', { routers: [{ ...review, router: `0x${'A'.repeat(40)}` }] }],
  ])('refuses a list with %s', (_name, more) => {
    const list = { schemaVersion: 'service.multi-role-reviewed-routers.v1', routers: [review] };
    expect(routerReviewsSchema.safeParse(list).success).toBe(true);
    expect(routerReviewsSchema.safeParse({ ...list, ...more }).success).toBe(false);
  });
});
