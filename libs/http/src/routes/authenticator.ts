import type { ServedCode } from '@launch/contracts/errors';
import type { FastifyRequest } from 'fastify';

/** Knows whose key a request carries. */
export interface Authenticator {
  /**
   * Finds out who asks and whether the key has every scope.
   * @param missingScope the code for a key that lacks one.
   * @returns the lineage that quotas are counted by.
   * @throws ApiError for a request without a living key, or with one that may not use the route.
   */
  authenticate(
    request: FastifyRequest,
    scopes: readonly string[],
    missingScope: ServedCode,
  ): Promise<{ readonly lineageId: string }>;
  /** @throws ApiError when the key of somebody who was let in has ended since. */
  confirm(request: FastifyRequest): Promise<void>;
}
