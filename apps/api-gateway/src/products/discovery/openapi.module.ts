import { Module } from '@nestjs/common';
import { OpenApiController } from './http/openapi.controller.js';

@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
