import { Module } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';

/** The rows of the public feeds of every family. */
@Module({ providers: [FeedRepository], exports: [FeedRepository] })
export class FeedRowsModule {}
