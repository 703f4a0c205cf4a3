import { planListOf, type PlanPreflight, planResourceOf, type PlanResourceV12 } from '@launch/contracts/plans';

const PLAN_ID = '5b0c1c1e-6a3f-4c0e-9d55-0c8f3d1f6f10';
const PENDING = {
  stage: 'pending',
  l2Inclusion: null,
  l1Posting: null,
  l1FinalizedCheckpoint: null,
  estimatedNextStageAt: null,
} as const;

/** A plan whose first step is offered. The calldata is cut after its first word. */
const PLAN: PlanResourceV12 = {
  schemaVersion: 'service.custom-launch-plan-resource.v1.2',
  planId: PLAN_ID,
  planDigest: 'sha256:3e2f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f601',
  requestSha256: 'sha256:3e2f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f601',
  status: 'awaiting_wallet',
  createdAt: '2026-11-21T14:23:11.402Z',
  updatedAt: '2026-11-21T14:23:52.918Z',
  expiresAt: '2026-11-21T14:53:00.000Z',
  launchWallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  resumeUrl: `/v4/chains/4663/custom-launch-plans/${PLAN_ID}`,
  findings: [],
  progress: { completedSteps: 0, totalSteps: 2, nextStepId: 'deploy-token' },
  steps: [
    {
      stepId: 'deploy-token',
      ordinal: 0,
      kind: 'deploy_component',
      status: 'awaiting_signature',
      dependsOn: [],
      authorization: {
        form: 'transaction.v1',
        from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        to: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        chainId: '4663',
        value: '0',
        data: '0x4f1d6f0a',
        validAfter: '1795270980',
        deadline: '1795272780',
        requestSha256: 'sha256:3e2f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f601',
        artifactSha256: 'sha256:91c0f9a27f6f6a3a3b2b9a4d1c0e5f60718293a4b5c6d7e8f90123456789abcd',
        simulation: {
          blockNumber: '512',
          blockHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
          gasUsed: '1402211',
        },
      },
      transactions: [],
      finality: PENDING,
    },
    {
      stepId: 'register',
      ordinal: 1,
      kind: 'register',
      status: 'blocked',
      dependsOn: ['deploy-token'],
      authorization: null,
      transactions: [],
      finality: PENDING,
    },
  ],
  launchUrl: `https://site.example/launches/${PLAN_ID}`,
  walletUrl: `https://site.example/wallet/plans/${PLAN_ID}`,
  continuation: null,
};

export const PLAN_EXAMPLE = planResourceOf(PLAN, '1.2');
export const PLAN_LIST_EXAMPLE = planListOf([PLAN], null, '1.2');
export const STEP_PROOF_EXAMPLE = {
  schemaVersion: 'service.custom-launch-plan-step-proof.v1',
  transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
};

/** Right after a plan was packed: it can be created. */
export const PLAN_PREFLIGHT_EXAMPLE: PlanPreflight = {
  schemaVersion: 'service.custom-launch-preflight.v1',
  requestSha256: PLAN.requestSha256,
  requestHash: '0x3c1f5c0f5b7c5d1a9f3e7a2b6c8d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f70819',
  planDigest: PLAN.planDigest,
  launchEligibility: { deployable: true, disposition: 'deployable', findings: [], remediation: [] },
  findings: [],
  checks: [
    { checkId: 'controller', outcome: 'pass', dependsOn: [] },
    { checkId: 'accepted-context', outcome: 'pass', dependsOn: [] },
    { checkId: 'economic-coverage', outcome: 'pass', dependsOn: [] },
  ],
  steps: PLAN.steps.map(({ stepId, ordinal, kind }) => ({ stepId, ordinal, kind })),
  budgets: { valueWei: '10000000000000000', gasUpperBoundWei: null, l1DataGasWei: null },
  checkpoint: {
    blockNumber: '4087',
    blockHash: '0xc38f6193f2a1bbad661f063469afe6ebd5b7cd4e73c81789f9209595f257aa40',
  },
  warnings: [{ code: 'TX_SIMULATION_PENDING' }],
  persisted: false,
};
