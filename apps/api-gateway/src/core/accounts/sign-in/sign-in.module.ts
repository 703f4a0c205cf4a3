import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { RateLimitsModule } from '../../../platform/rate-limits/rate-limits.module.js';
import { NonceRepository } from './nonce.repository.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

/** Imported only where signing in is configured: without it the routes are not there at all. */
@Module({
  imports: [CredentialsModule, RateLimitsModule],
  controllers: [SignInController],
  providers: [SignInService, NonceRepository],
})
export class SignInModule {}
