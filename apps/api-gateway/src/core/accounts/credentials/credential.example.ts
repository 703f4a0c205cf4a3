import type { CustomLaunchCredential } from '@launch/contracts/launch';

/** A wallet's first key with both scopes. */
export const CREDENTIAL_EXAMPLE: CustomLaunchCredential = {
  schemaVersion: 'service.custom-launch-credential.v1',
  credentialId: '0'.repeat(20),
  lineageId: '00000000-0000-4000-8000-000000000000',
  generation: 1,
  kind: 'wallet',
  scopes: ['custom-launch:create', 'custom-launch:read'],
  chainGrants: ['4663'],
  boundController: `0x${'1'.repeat(40)}`,
  allowedControllers: [],
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: null,
  rotatedFrom: null,
  status: 'active',
};
