import { Module } from '@nestjs/common';
import { CursorCodec, ErrorFilter, MethodsByPath } from '@launch/http';
import type { Logger, Secret } from '@launch/platform';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CURSOR_KEY, LOGGER } from '../tokens.js';

/** Binds `@launch/http` to the providers of this service. A listener adds its gate (`composition/gate.module.ts`). */
@Module({
  imports: [RateLimitsModule],
  providers: [
    {
      provide: ErrorFilter,
      inject: [MethodsByPath, LOGGER],
      useFactory: (methods: MethodsByPath, logger: Logger) => new ErrorFilter(methods, logger),
    },
    { provide: MethodsByPath, useFactory: () => new MethodsByPath() },
    { provide: CursorCodec, inject: [CURSOR_KEY], useFactory: (key: Secret<string>) => new CursorCodec(key) },
  ],
  exports: [ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule],
})
export class HttpModule {}
