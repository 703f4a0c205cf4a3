import { Module, type Provider, type Type } from '@nestjs/common';
import { CursorCodec, ErrorFilter, Gate, MethodsByPath, RateLimitService, type Authenticator } from '@launch/http';
import type { Logger, Secret } from '@launch/platform';
import { CredentialsModule } from '../../core/accounts/credentials/credentials.module.js';
import { RequestAuthenticator } from '../../core/accounts/credentials/request-caller.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CURSOR_KEY, LOGGER } from '../tokens.js';

/** Binds `@launch/http` to what this service is made of. @param authenticator knows whose key a request carries. */
export const httpProviders = (authenticator: Type<Authenticator>): Provider[] => [
  {
    provide: Gate,
    inject: [authenticator, RateLimitService],
    useFactory: (known: Authenticator, limits: RateLimitService) => new Gate(known, limits),
  },
  {
    provide: ErrorFilter,
    inject: [MethodsByPath, LOGGER],
    useFactory: (methods: MethodsByPath, logger: Logger) => new ErrorFilter(methods, logger),
  },
  { provide: MethodsByPath, useFactory: () => new MethodsByPath() },
  { provide: CursorCodec, inject: [CURSOR_KEY], useFactory: (key: Secret<string>) => new CursorCodec(key) },
];

/** The public listener's. */
@Module({
  imports: [CredentialsModule, RateLimitsModule],
  providers: httpProviders(RequestAuthenticator),
  exports: [Gate, ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule],
})
export class HttpModule {}
