import type { JudgedRequest } from '@launch/contracts/launch';
import { hexToBytes } from 'viem/utils';
import type { RuleGroup } from '../judge.js';
import { sourceFindings } from './request-source.findings.js';
import { runtimePolicyFindings } from './runtime-policy.findings.js';

/** Requires that manifest, digests and compiler inputs match the bytes that they name. */
export const SOURCE: RuleGroup<{ readonly request: JudgedRequest }> = {
  name: 'source',
  find: ({ request }) => sourceFindings(request),
};

/** Refuses forbidden instructions in the runtime that the request declares for each component. */
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
