import { finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { isKnownPolicy } from '@launch/evm';
import type { RuleGroup } from '../judge.js';
import { commitmentFindings } from './request-form.findings.js';

/** A request's context beside those that the asking place works by; null while it has none to compare with. */
export interface ContextFact {
  readonly context: {
    /** Of the context that the request carries. */
    readonly hash: Hex;
    /** Whether `hash` is known to be that context's. */
    readonly holds: boolean;
    readonly accepted: ReadonlySet<string>;
    readonly current: Hex;
  } | null;
}

/** The context is one that this deployment works by. */
export const ACCEPTED_CONTEXT: RuleGroup<ContextFact> = {
  name: 'accepted-context',
  find: ({ context }) =>
    context === null || (context.holds && context.accepted.has(context.hash))
      ? []
      : [finding('CONTEXT_NOT_CURRENT', '/context', { expected: context.current, actual: context.hash })],
};

/** The commitments are the hashes of the context. */
export const COMMITMENTS: RuleGroup<{ readonly request: CreateRequest }> = {
  name: 'commitments',
  find: ({ request }) => commitmentFindings(request),
};

type Told = (id: string) => ReturnType<typeof finding>;

/** The instruction policy is one of this build, unchanged: unknown or altered policies fail closed. Each place tells it in its own words. */
const knownPolicy = (told: Told): RuleGroup<{ readonly request: Pick<JudgedRequest, 'context'> }> => ({
  name: 'known-policy',
  find({ request }) {
    const { id, policyHash } = request.context.profile.instructionPolicy;
    return isKnownPolicy(id, policyHash) ? [] : [told(id)];
  },
});

const POLICY = '/context/profile/instructionPolicy';
const admissionTold: Told = () =>
  finding('CONTEXT_NOT_CURRENT', POLICY, { expected: 'an instruction policy this deployment knows, unchanged' });
const custodyTold: Told = (id) =>
  finding('PERMIT_REFUSED', POLICY, { expected: 'an instruction policy of this build', actual: id });
const offlineTold: Told = () =>
  finding('CONTEXT_NOT_CURRENT', POLICY, { message: 'The instruction policy is none that this tool knows.' });

/** As admission, custody and `launch-verify` tell it. */
export const KNOWN_POLICY = /* @__PURE__ */ knownPolicy(admissionTold);
export const KNOWN_POLICY_CUSTODY = /* @__PURE__ */ knownPolicy(custodyTold);
export const KNOWN_POLICY_OFFLINE = /* @__PURE__ */ knownPolicy(offlineTold);
