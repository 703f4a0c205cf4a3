import {
  reviewStatusOf,
  type ModuleCapabilities,
  type ModuleReceipt,
  type ModuleReviewCapabilities,
  type ModuleSubmissionList,
} from '@launch/contracts/modules';
import { MODULE_CLIENT_RELEASES } from '../../../core/downloads/module-clients.js';
import { DEFAULT_MODULE_INTAKE } from '../domain/module-intake.js';

const SUBMISSION_ID = '5b0c1c1e-6a3f-4c0e-9d55-0c8f3d1f6f10';
const RECEIVED_AT = '2026-11-23T02:30:11.402Z';
const PACKAGE_ID = '0x3e2f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f601';
const REQUEST_DIGEST = 'sha256:9a6f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f602';

export const RECEIPT_EXAMPLE: ModuleReceipt = {
  schemaVersion: 'service.modules.api.v0.1',
  submissionId: SUBMISSION_ID,
  packageId: PACKAGE_ID,
  familyId: '0x7c3f4d61b9a2d9c6f9a76e3d2d1a0f5cbb0a0d7c1be2f7f3a1f5b0c9d8e7f603',
  requestDigest: REQUEST_DIGEST,
  author: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  rewardWallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  name: 'Fee module',
  version: '1.0.0',
  family: 'fee-module',
  byteCount: 18_211,
  fileCount: 3,
  supersedes: null,
  status: 'draft_received',
  reviewStatus: 'unreviewed',
  approved: false,
  available: false,
  receivedAt: RECEIVED_AT,
};

export const SUBMISSION_LIST_EXAMPLE: ModuleSubmissionList = {
  schemaVersion: 'service.modules.submission-list.v0.1',
  items: [RECEIPT_EXAMPLE],
  nextCursor: null,
};

export const REVIEW_STATUS_EXAMPLE = reviewStatusOf(
  { submissionId: SUBMISSION_ID, packageId: PACKAGE_ID, requestDigest: REQUEST_DIGEST, createdAt: RECEIVED_AT },
  [],
);

export const MODULE_CAPABILITIES_EXAMPLE: ModuleCapabilities = {
  schemaVersion: 'service.modules.capabilities.v0.1',
  moduleContributions: { submissions: true, ...DEFAULT_MODULE_INTAKE.limits },
  apiKeyIssuance: false,
  wireContract: 'service.modules.api.v0.1',
  submissionSchema: 'service.modules.submission.v0.1',
  buildProfiles: ['service.native-solidity@1'],
  clients: MODULE_CLIENT_RELEASES.map(({ version, contentSha256, commands }) => ({
    version,
    path: `/v1/modules/client/${version}/module-cli.mjs`,
    contentSha256,
    commands: [...commands],
  })),
  operations: { submit: true, read: true, reviewStatus: false },
};

export const REVIEW_CAPABILITIES_EXAMPLE: ModuleReviewCapabilities = {
  schemaVersion: 'service.modules.review-capabilities.v1',
  reviewAvailable: false,
  statusReadAvailable: false,
  databaseReady: false,
  workerAuthorityReady: false,
  reviewerPolicyDigest: null,
  workerSourceCommit: null,
  approved: false,
  available: false,
};
