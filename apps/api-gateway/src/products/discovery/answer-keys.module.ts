import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { AnswerKeysController } from './http/answer-keys.controller.js';

@Module({ imports: [HttpModule], controllers: [AnswerKeysController] })
export class AnswerKeysModule {}
