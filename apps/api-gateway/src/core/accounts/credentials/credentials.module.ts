import { Module } from '@nestjs/common';
import { CredentialRepository } from './credential.repository.js';
import { CredentialService } from './credential.service.js';
import { RequestAuthenticator } from './request-caller.js';

@Module({
  providers: [CredentialRepository, CredentialService, RequestAuthenticator],
  exports: [CredentialService, RequestAuthenticator],
})
export class CredentialsModule {}
