import { Module } from '@nestjs/common';
import { FeedRepository } from './feed.repository.js';
import { HeldRecordsRepository } from './held-records.repository.js';

/** Provides the rows of the public feeds of every family. */
@Module({ providers: [FeedRepository, HeldRecordsRepository], exports: [FeedRepository, HeldRecordsRepository] })
export class FeedRowsModule {}
