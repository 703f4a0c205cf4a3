import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { CodecConfig } from './config.js';

/** Reports a request whose access token does not let its bearer read histories. */
export class AccessRefusedError extends Error {
  override readonly name = 'AccessRefusedError';
  constructor(readonly status: 401 | 403) {
    super(status === 401 ? 'a valid access token is required' : 'the access token does not name the required group');
  }
}

/**
 * Checks the `Authorization` header of a request.
 * @throws AccessRefusedError without a valid token of the issuer; the issuer's own failure if its keys cannot be read.
 */
export type CheckAccess = (authorization: string | undefined) => Promise<void>;

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const KEYS_WITHIN_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 30;
const INVALID = [errors.JWTInvalid, errors.JWTExpired, errors.JWTClaimValidationFailed, errors.JWSInvalid];
const UNVERIFIED = [errors.JWSSignatureVerificationFailed, errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey];
const REFUSALS = [...INVALID, ...UNVERIFIED, errors.JOSENotSupported, errors.JWKSMultipleMatchingKeys];

/** Creates the check of OpenID Connect access tokens: signature, issuer, audience, times, and the group if one is set. */
export function createAccessCheck(
  config: Pick<CodecConfig, 'OIDC_ISSUER' | 'OIDC_AUDIENCE' | 'OIDC_JWKS_URL' | 'OIDC_GROUP'>,
): CheckAccess {
  const keys = createRemoteJWKSet(new URL(config.OIDC_JWKS_URL), { timeoutDuration: KEYS_WITHIN_MS });
  return async (authorization) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new AccessRefusedError(401);
    const groups = await jwtVerify(token, keys, {
      issuer: config.OIDC_ISSUER,
      audience: config.OIDC_AUDIENCE,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp'],
    }).then(
      ({ payload }) => payload['groups'],
      (error: unknown) => {
        if (REFUSALS.some((refusal) => error instanceof refusal)) throw new AccessRefusedError(401);
        throw error;
      },
    );
    if (config.OIDC_GROUP !== undefined && !(Array.isArray(groups) && groups.includes(config.OIDC_GROUP)))
      throw new AccessRefusedError(403);
  };
}
