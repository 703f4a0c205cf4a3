import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Gate, RateLimitService, type Authenticator } from '@launch/http';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';

/** Provides every module of one listener with its gate. */
@Module({})
export class GateModule {
  /**
   * @param authenticator finds the caller of a request.
   * @param from the module that exports the authenticator.
   */
  static of(authenticator: Type<Authenticator>, from: Type): DynamicModule {
    return {
      module: GateModule,
      global: true,
      imports: [from, RateLimitsModule],
      providers: [
        {
          provide: Gate,
          inject: [authenticator, RateLimitService],
          useFactory: (known: Authenticator, limits: RateLimitService) => new Gate(known, limits),
        },
      ],
      exports: [Gate],
    };
  }
}
