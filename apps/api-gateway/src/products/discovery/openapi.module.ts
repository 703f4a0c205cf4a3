import { Module } from '@nestjs/common';
import { OpenApiController } from './http/openapi.controller.js';
import { API_SUBJECT } from '../../platform/tokens.js';
import { PUBLIC_API } from '../../platform/openapi/api-subject.js';
import { OpenApiDocument } from '../../platform/openapi/openapi.document.js';

@Module({
  controllers: [OpenApiController],
  providers: [OpenApiDocument, { provide: API_SUBJECT, useValue: PUBLIC_API }],
  exports: [OpenApiDocument],
})
export class OpenApiModule {}
