import { Module, type DynamicModule } from '@nestjs/common';
import { API_SUBJECT } from '../tokens.js';
import type { ApiSubject } from './api-subject.js';
import { OpenApiDocument } from './openapi.document.js';

/** Provides every module of one listener with the description of its routes. */
@Module({})
export class OpenApiDocumentModule {
  static of(subject: ApiSubject): DynamicModule {
    return {
      module: OpenApiDocumentModule,
      global: true,
      providers: [OpenApiDocument, { provide: API_SUBJECT, useValue: subject }],
      exports: [OpenApiDocument],
    };
  }
}
