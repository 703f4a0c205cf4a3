import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CustomLaunch } from '@launch/sdk';
import type { MultiRoleLaunch } from '@launch/sdk/multi-role';
import type { Plan } from '@launch/sdk/plans';
import type { LaunchFinding, OwnedLaunch } from './launch-facts.js';

interface Documented {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly responses: Readonly<
            Record<'200', { readonly content: { readonly 'application/json': { readonly example: unknown } } }>
          >;
        };
      }
    >
  >;
}
const API = JSON.parse(readFileSync(resolve('docs/api/openapi.json'), 'utf8')) as Documented;

/** Returns the documented answer of a read route, as the service writes it. */
export const documentedAnswer = <Value>(path: string): Value =>
  structuredClone(API.paths[path]!.get.responses['200'].content['application/json'].example) as Value;

const LAUNCH = '/v4/chains/4663/custom-launches/{launchId}';
const PLAN = '/v4/chains/{chainId}/custom-launch-plans/{planId}';
const MULTI_ROLE = '/v4/chains/4663/multi-role-custom-launches/{launchId}';

export const aLaunch = (changes: Partial<CustomLaunch> = {}): OwnedLaunch => ({
  kind: 'launch',
  value: { ...documentedAnswer<CustomLaunch>(LAUNCH), ...changes },
});
export const aPlan = (changes: Partial<Plan> = {}): OwnedLaunch => ({
  kind: 'plan',
  value: { ...documentedAnswer<Plan>(PLAN), ...changes },
});
export const aMultiRoleLaunch = (changes: Partial<MultiRoleLaunch> = {}): OwnedLaunch => ({
  kind: 'multi-role',
  value: { ...documentedAnswer<MultiRoleLaunch>(MULTI_ROLE), ...changes },
});

const OBSERVED = ['2026-11-28T11:50:00.000Z', '2026-11-28T11:50:07.000Z'].map((observedAt, index) => ({
  id: `observer-${index}`,
  observedAt,
  responseSha256: `sha256:${'0'.repeat(64)}`,
}));
const HASH = `0x${'ab'.repeat(32)}`;

export const AN_INCLUSION: NonNullable<CustomLaunch['finality']['l2Inclusion']> = {
  blockNumber: '812',
  blockHash: HASH,
  transactionIndex: 0,
  transactionHash: `0x${'cd'.repeat(32)}`,
  receiptStatus: 'success',
  logsSha256: `sha256:${'1'.repeat(64)}`,
  observers: OBSERVED,
};

export const aFinality = (changes: Partial<CustomLaunch['finality']> = {}): CustomLaunch['finality'] => ({
  stage: 'pending',
  l2Inclusion: null,
  l1Posting: null,
  l1FinalizedCheckpoint: null,
  estimatedNextStageAt: null,
  observation: null,
  ...changes,
});

export const aFinding = (changes: Partial<LaunchFinding> = {}): LaunchFinding =>
  ({
    code: 'COMPILER_ERROR',
    layer: 'source',
    severity: 'error',
    path: '/compilerVerification/compilationUnits/0/standardJsonInputBase64',
    message: 'The sources do not compile.',
    expected: null,
    actual: 'ParserError 2314 at src/Token.sol:49-52',
    remediation: { action: 'correct_and_resubmit', detail: 'Correct the sources.' },
    docs: '/docs/errors#COMPILER_ERROR',
    ...changes,
  }) as LaunchFinding;

export const TOKEN_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

contract Tökén {
    uint256 public total = 1
    address public owner;
}
`;

/** A request with one source, in one compilation unit. */
export const aRequest = (source = TOKEN_SOURCE): unknown => ({
  source: { manifest: [{ path: 'src/Token.sol' }], additionalFiles: [{ path: 'logo.png', base64: '' }] },
  compilerVerification: {
    compilationUnits: [
      {
        compilationUnitId: 'main',
        standardJsonInputBase64: Buffer.from(
          JSON.stringify({ language: 'Solidity', sources: { 'src/Token.sol': { content: source } } }),
        ).toString('base64'),
      },
    ],
  },
  budgets: { maxGasCostWei: '1' },
});
