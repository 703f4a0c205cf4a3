import type { JudgedRequest } from '@launch/contracts/launch';
import { hexToBytes } from 'viem/utils';
import type { RuleGroup } from '../judge.js';
import { sourceFindings } from './request-source.findings.js';
import { runtimePolicyFindings } from './runtime-policy.findings.js';

/** Manifest, digests and compiler inputs are of the bytes they name. */
export const SOURCE: RuleGroup<{ readonly request: JudgedRequest }> = {
  name: 'source',
  find: ({ request }) => sourceFindings(request),
};

/** What the request declares each physical component will run has no forbidden instruction. */
export const DECLARED_RUNTIMES: RuleGroup<{ readonly request: Pick<JudgedRequest, 'context' | 'graphBundle'> }> = {
  name: 'declared-runtimes',
  after: ['known-policy'],
  find: ({ request }) =>
    runtimePolicyFindings(
      request.context.profile.instructionPolicy.id,
      request.graphBundle.components.map((component, index) => ({
        path: `/graphBundle/components/${index}/expectedRuntimeCode`,
        runtime: hexToBytes(component.expectedRuntimeCode),
      })),
    ),
};
