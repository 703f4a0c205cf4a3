import { finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { isKnownPolicy } from '@launch/evm';
import type { RuleGroup } from '../judge.js';
import { commitmentFindings } from './request-form.findings.js';

/** A request's context and those that the judging place accepts; null while it has none to compare with. */
export interface ContextFact {
  readonly context: {
    /** The hash of the context in the request. */
    readonly hash: Hex;
    /** True if `hash` is known to be that context's. */
    readonly holds: boolean;
    readonly accepted: ReadonlySet<string>;
    readonly current: Hex;
  } | null;
}

/** Requires a context that this deployment accepts. */
export const ACCEPTED_CONTEXT: RuleGroup<ContextFact> = {
  name: 'accepted-context',
  find: ({ context }) =>
    context === null || (context.holds && context.accepted.has(context.hash))
      ? []
      : [finding('CONTEXT_NOT_CURRENT', '/context', { expected: context.current, actual: context.hash })],
};

/** Requires commitments that are the hashes of the context. */
export const COMMITMENTS: RuleGroup<{ readonly request: CreateRequest }> = {
  name: 'commitments',
  find: ({ request }) => commitmentFindings(request),
};

type PolicyFinding = (id: string) => ReturnType<typeof finding>;

/**
 * Requires an unchanged instruction policy of this build: unknown or altered policies fail closed. Each place has its
 * own finding.
 */
const knownPolicy = (findingOf: PolicyFinding): RuleGroup<{ readonly request: Pick<JudgedRequest, 'context'> }> => ({
  name: 'known-policy',
  find({ request }) {
    const { id, policyHash } = request.context.profile.instructionPolicy;
    return isKnownPolicy(id, policyHash) ? [] : [findingOf(id)];
  },
});

const POLICY = '/context/profile/instructionPolicy';
const admissionFinding: PolicyFinding = () =>
  finding('CONTEXT_NOT_CURRENT', POLICY, { expected: 'an instruction policy this deployment knows, unchanged' });
const custodyFinding: PolicyFinding = (id) =>
  finding('PERMIT_REFUSED', POLICY, { expected: 'an instruction policy of this build', actual: id });
const offlineFinding: PolicyFinding = () =>
  finding('CONTEXT_NOT_CURRENT', POLICY, { message: 'The instruction policy is none that this tool knows.' });

/** The rule with the finding of admission, of custody and of `launch-verify`. */
export const KNOWN_POLICY = /* @__PURE__ */ knownPolicy(admissionFinding);
export const KNOWN_POLICY_CUSTODY = /* @__PURE__ */ knownPolicy(custodyFinding);
export const KNOWN_POLICY_OFFLINE = /* @__PURE__ */ knownPolicy(offlineFinding);
