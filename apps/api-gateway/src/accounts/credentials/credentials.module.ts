import { Module } from '@nestjs/common';
import { CredentialRepository } from './credential.repository.js';
import { CredentialService } from './credential.service.js';

@Module({ providers: [CredentialRepository, CredentialService], exports: [CredentialService] })
export class CredentialsModule {}
