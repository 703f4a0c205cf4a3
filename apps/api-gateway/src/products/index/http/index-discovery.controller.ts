import { Controller, Param, Res } from '@nestjs/common';
import {
  ABI_PATH,
  MODULE_INDEXER_PATH,
  MODULE_MODE_PATH,
  moduleIndexerSchema,
  moduleModeSchema,
} from '@launch/contracts/index';
import { ApiError } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { sendIndexed } from './answers.js';
import { IMMUTABLE } from '../../../platform/http/public-answer.js';
import { IndexRead } from './index.route.js';
import { MODULE_INDEXER_EXAMPLE, MODULE_MODE_EXAMPLE } from './coins.examples.js';
import { IndexDiscoveryService } from '../domain/index-discovery.service.js';
import { publishedAbi } from '../domain/source-documents.js';

@Controller()
export class IndexDiscoveryController {
  constructor(private readonly discovery: IndexDiscoveryService) {}

  @IndexRead({
    path: MODULE_INDEXER_PATH,
    id: 'getModuleIndexer',
    summary: 'Retrieve the ABIs, topics, identities and state of every source, for indexers',
    description:
      'Returns everything that an indexer needs to find and verify coins. Addresses and runtime hashes belong to this deployment.',
    answers: { 200: { description: 'The contract.', schema: moduleIndexerSchema, example: MODULE_INDEXER_EXAMPLE } },
    errors: ['NOT_FOUND'],
  })
  async indexer(@Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.discovery.moduleIndexer());
  }

  @IndexRead({
    path: MODULE_MODE_PATH,
    id: 'getModuleMode',
    summary: 'Retrieve the release of Native V1',
    description:
      'The service accepts a new source if `enabled` is true and `status` is `active`. The coins of a disabled release remain visible. Returns 404 if no release was ever configured.',
    answers: { 200: { description: 'The release.', schema: moduleModeSchema, example: MODULE_MODE_EXAMPLE } },
    errors: ['NOT_FOUND'],
  })
  async moduleMode(@Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.discovery.moduleMode());
  }

  @IndexRead({
    path: `${ABI_PATH}/{abiFile}`,
    id: 'getSourceAbi',
    summary: 'Retrieve the ABI of a source version or graph factory by its digest',
    description:
      'Returns canonical JSON that never changes. Sources, routers and releases name it in `abiUrl` and `abiSha256`.',
    answers: { 200: { description: 'The ABI.', mediaTypes: ['application/json'] } },
    errors: ['NOT_FOUND'],
  })
  abi(@Res() reply: FastifyReply, @Param('abiFile') file: string): void {
    const found = publishedAbi(`sha256:${file.slice(0, -'.json'.length)}`);
    if (found === null) throw new ApiError('NOT_FOUND');
    sendIndexed(reply, found.bytes, IMMUTABLE);
  }
}
