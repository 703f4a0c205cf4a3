import { Module } from '@nestjs/common';
import { CrossOrigin, CursorCodec, ErrorFilter, MethodsByPath } from '@launch/http';
import type { Logger, Secret } from '@launch/platform';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CURSOR_KEY, LOGGER, SITE_URL } from '../tokens.js';

/** Binds `@launch/http` to the providers of this service. A listener adds its gate (`composition/gate.module.ts`). */
@Module({
  imports: [RateLimitsModule],
  providers: [
    {
      provide: ErrorFilter,
      inject: [MethodsByPath, CrossOrigin, LOGGER],
      useFactory: (methods: MethodsByPath, crossOrigin: CrossOrigin, logger: Logger) =>
        new ErrorFilter(methods, crossOrigin, logger),
    },
    {
      provide: CrossOrigin,
      // The review console has no such part: no other origin uses it.
      inject: [{ token: SITE_URL, optional: true }],
      useFactory: (siteUrl: string | null = null) => new CrossOrigin(siteUrl),
    },
    { provide: MethodsByPath, useFactory: () => new MethodsByPath() },
    { provide: CursorCodec, inject: [CURSOR_KEY], useFactory: (key: Secret<string>) => new CursorCodec(key) },
  ],
  exports: [CrossOrigin, ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule],
})
export class HttpModule {}
