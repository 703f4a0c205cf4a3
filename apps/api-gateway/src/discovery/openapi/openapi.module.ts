import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { API_SUBJECT } from '../../tokens.js';
import { PUBLIC_API } from './api-subject.js';
import { OpenApiDocument } from './openapi.document.js';

@Module({
  controllers: [OpenApiController],
  providers: [OpenApiDocument, { provide: API_SUBJECT, useValue: PUBLIC_API }],
  exports: [OpenApiDocument],
})
export class OpenApiModule {}
