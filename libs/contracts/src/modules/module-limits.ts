/** Limits of module packages and their intake. Bytes and counts. A deployment may publish lower ones (docs/reference/limits.md#module-packages). */
export const MODULE_LIMITS = {
  maxFiles: 128,
  maxFileBytes: 4 * 1024 * 1024,
  /** Raw bytes of all files. */
  maxTotalBytes: 16 * 1024 * 1024,
  /** The serialized request, base64 included. */
  maxRequestBytes: 24 * 1024 * 1024,
  pathBytes: 512,
  instructionsBytes: 4096,
  encodedConfigurationBytes: 16_384,
  listMax: 20,
} as const;

export const MODULES_PATH = '/v1/modules';
export const MODULE_PACKAGE_SCHEMA = 'service.modules.package.v0.1';
export const MODULE_SUBMISSION_SCHEMA = 'service.modules.submission.v0.1';
/** Version of the intake's wire contract, which its receipts name. */
export const MODULE_API_SCHEMA = 'service.modules.api.v0.1';
export const MODULE_SUBMISSION_LIST_SCHEMA = 'service.modules.submission-list.v0.1';
export const MODULE_CAPABILITIES_SCHEMA = 'service.modules.capabilities.v0.1';
export const MODULE_REVIEW_STATUS_SCHEMA = 'service.modules.review-status.v1';
export const MODULE_REVIEW_CAPABILITIES_SCHEMA = 'service.modules.review-capabilities.v1';
export const FOUNDATION_RELEASES_SCHEMA = 'service.modules.foundation-releases.v1';
