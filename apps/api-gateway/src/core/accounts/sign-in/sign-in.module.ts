import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { RateLimitsModule } from '../../../platform/rate-limits/rate-limits.module.js';
import { NonceRepository } from './nonce.repository.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

/** The routes of signing in. Imported only where signing in is configured, so the routes are absent otherwise. */
@Module({
  imports: [CredentialsModule, RateLimitsModule],
  controllers: [SignInController],
  providers: [SignInService, NonceRepository],
})
export class SignInModule {}
