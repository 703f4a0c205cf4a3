import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { AnswerKeysController } from './answer-keys.controller.js';

@Module({ imports: [HttpModule], controllers: [AnswerKeysController] })
export class AnswerKeysModule {}
