import { Module } from '@nestjs/common';
import { CursorCodec, ErrorFilter, Gate, MethodsByPath, RateLimitService } from '@launch/http';
import type { Logger, Secret } from '@launch/platform';
import { CredentialsModule } from '../accounts/credentials/credentials.module.js';
import { RequestAuthenticator } from '../accounts/credentials/request-caller.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CURSOR_KEY, LOGGER } from '../tokens.js';

/** Binds `@launch/http` to what this service is made of. */
@Module({
  imports: [CredentialsModule, RateLimitsModule],
  providers: [
    {
      provide: Gate,
      inject: [RequestAuthenticator, RateLimitService],
      useFactory: (authenticator: RequestAuthenticator, limits: RateLimitService) => new Gate(authenticator, limits),
    },
    {
      provide: ErrorFilter,
      inject: [MethodsByPath, LOGGER],
      useFactory: (methods: MethodsByPath, logger: Logger) => new ErrorFilter(methods, logger),
    },
    { provide: MethodsByPath, useFactory: () => new MethodsByPath() },
    { provide: CursorCodec, inject: [CURSOR_KEY], useFactory: (key: Secret<string>) => new CursorCodec(key) },
  ],
  exports: [Gate, ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule],
})
export class HttpModule {}
