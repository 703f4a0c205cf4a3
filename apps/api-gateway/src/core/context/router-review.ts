import type { AnyLaunchContext } from '@launch/contracts/launch';
import { addressSchema, bytes32Schema, canonicalKeccak } from '@launch/contracts/primitives';
import { isKnownPolicy, TEMPLATE_SETS, templateSetHash, type TemplateSet } from '@launch/evm';
import { z } from 'zod';

/** A router that was reviewed for one instruction policy, pinned by its exact runtime. */
const reviewedRouterSchema = z.strictObject({
  policyId: z.string().min(1).max(128),
  policyHash: bytes32Schema,
  router: addressSchema,
  runtimeCodeHash: bytes32Schema,
});
export type ReviewedRouter = z.infer<typeof reviewedRouterSchema>;

/** The operator's list of reviews, separate from the context that it judges; each router is listed once. */
export const routerReviewsSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-reviewed-routers.v1'),
    routers: z.array(reviewedRouterSchema).max(64),
  })
  .refine(({ routers }) => isDistinct(routers.map(({ router }) => router)), {
    message: 'a router is reviewed once, for one policy',
    path: ['routers'],
  });

const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const pinnedRecipes = (sets: readonly TemplateSet[]): ReadonlySet<string> =>
  new Set(sets.map((set) => `${set.recipe.id} ${set.recipe.version} ${templateSetHash(set)}`));

/** Reasons to refuse a configured context before any chain read. */
export const REVIEW_REASONS = [
  'INSTRUCTION_POLICY_UNKNOWN',
  'RECIPE_TEMPLATES_UNKNOWN',
  'CONTEXT_BINDINGS_CONTRADICT',
  'ROUTER_UNREVIEWED',
  'ROUTER_RELABELLED',
  'ROUTER_CODE_UNREVIEWED',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/**
 * Returns the reasons against a context (docs/reference/multi-role.md#router-review). Its recipes and policy must be this
 * build's, unchanged, and its router reviewed for this policy with this exact runtime. Everything else fails closed. An
 * old router under a new policy's name counts as relabelled, at every address.
 * @param templates the sets by which this build judges the context's family.
 */
export function reviewReasons(
  context: AnyLaunchContext,
  reviewed: readonly ReviewedRouter[],
  templates: readonly TemplateSet[] = TEMPLATE_SETS,
): ReviewReason[] {
  const known = pinnedRecipes(templates);
  const reasons = new Set<ReviewReason>();
  const policy = context.profile.instructionPolicy;
  if (!isKnownPolicy(policy.id, policy.policyHash) || canonicalKeccak(policy.document) !== policy.policyHash)
    reasons.add('INSTRUCTION_POLICY_UNKNOWN');
  // A recipe of another release: every launch of it would be refused, since launches are judged only by published templates.
  if (!context.profile.recipes.every(({ id, version, templateSetHash: hash }) => known.has(`${id} ${version} ${hash}`)))
    reasons.add('RECIPE_TEMPLATES_UNKNOWN');
  const { router, poolManager } = context.chainDeployment;
  const { chainBindings } = context;
  if (chainBindings.router !== router.address || chainBindings.poolManager !== poolManager.address)
    reasons.add('CONTEXT_BINDINGS_CONTRADICT');
  const isForThisPolicy = (review: ReviewedRouter): boolean =>
    review.policyId === policy.id && review.policyHash === policy.policyHash;
  const atAddress = reviewed.find((review) => review.router === router.address);
  const ofCode = reviewed.filter((review) => review.runtimeCodeHash === router.runtimeCodeHash);
  if ((atAddress !== undefined && !isForThisPolicy(atAddress)) || (ofCode.length > 0 && !ofCode.some(isForThisPolicy)))
    reasons.add('ROUTER_RELABELLED');
  if (atAddress === undefined) reasons.add('ROUTER_UNREVIEWED');
  else if (atAddress.runtimeCodeHash !== router.runtimeCodeHash) reasons.add('ROUTER_CODE_UNREVIEWED');
  return [...reasons];
}
