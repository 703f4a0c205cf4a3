import { Module } from '@nestjs/common';
import { CredentialsModule } from '../accounts/credentials/credentials.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CursorCodec } from './cursor.codec.js';
import { ErrorFilter } from './error.filter.js';
import { Gate } from './gate.hook.js';
import { MethodsByPath } from './methods-by-path.js';

@Module({
  imports: [CredentialsModule, RateLimitsModule],
  providers: [Gate, ErrorFilter, MethodsByPath, CursorCodec],
  exports: [Gate, ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule],
})
export class HttpModule {}
