import type { ServedCode } from '@launch/contracts/errors';
import type { FastifyRequest } from 'fastify';

/** Identifies the owner of a request's key. */
export interface Authenticator {
  /**
   * Identifies the caller and checks that the key has every scope.
   * @param missingScope the code for a key that lacks one.
   * @returns the lineage that quotas are counted by.
   * @throws ApiError for a request without an active key, or with one that may not use the route.
   */
  authenticate(
    request: FastifyRequest,
    scopes: readonly string[],
    missingScope: ServedCode,
  ): Promise<{ readonly lineageId: string }>;
  /** @throws ApiError if the key of an authenticated caller has ended since. */
  confirm(request: FastifyRequest): Promise<void>;
}
