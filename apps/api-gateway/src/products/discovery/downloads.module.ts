import { Module } from '@nestjs/common';
import { DOWNLOAD_CONTROLLERS } from './http/downloads.controller.js';

@Module({ controllers: DOWNLOAD_CONTROLLERS })
export class DownloadsModule {}
