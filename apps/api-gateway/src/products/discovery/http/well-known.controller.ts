import { Controller, Res } from '@nestjs/common';
import { API_CATALOG_PATH, DISCOVERY_ALIAS, DISCOVERY_PATH, discoverySchema } from '@launch/contracts/reports';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { Route } from '../../../core/routes/api.route.js';
import { DiscoveryService, type WrittenDocument } from '../domain/discovery.service.js';
import { DISCOVERY_EXAMPLE } from './discovery.example.js';

const JSON_DOCUMENT = 'application/json; charset=utf-8';
/** The media type of RFC 9727, section 4.2. */
const LINK_SET = 'application/linkset+json';
const CATALOG = `${LINK_SET}; profile="https://www.rfc-editor.org/info/rfc9727"`;

/** The common part of these routes. */
const DESCRIPTION = {
  method: 'get',
  tag: 'Discovery',
  scopes: null,
  quota: 'public',
  takesNoBody: true,
  entityTag: 'SHA-256 digest of the response body.',
} as const;
const DOCUMENT = {
  ...DESCRIPTION,
  description:
    'Read this document before you use a key. Send preflight and create requests only while all three gates of custom launches are true.',
  answers: {
    200: {
      description: 'Versions, gates, fee policy and chains.',
      schema: discoverySchema,
      example: DISCOVERY_EXAMPLE,
    },
  },
} as const;

@Controller()
export class WellKnownController {
  constructor(private readonly discovery: DiscoveryService) {}

  @Route({ ...DOCUMENT, path: DISCOVERY_PATH, id: 'getDiscovery', summary: 'Retrieve the discovery document' })
  async document(@Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.discovery.document(), JSON_DOCUMENT);
  }

  @Route({
    ...DOCUMENT,
    path: DISCOVERY_ALIAS,
    id: 'getDiscoveryAlias',
    summary: 'Retrieve the discovery document at its versioned path',
  })
  async alias(@Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.discovery.document(), JSON_DOCUMENT);
  }

  @Route({
    ...DESCRIPTION,
    path: API_CATALOG_PATH,
    id: 'getApiCatalog',
    summary: 'Retrieve the API catalogue (RFC 9727)',
    answers: {
      200: { description: 'The link set.', mediaTypes: [LINK_SET], headers: { Link: 'A link to the API catalogue.' } },
    },
  })
  catalog(@Res() reply: FastifyReply): void {
    reply.header('link', `<${API_CATALOG_PATH}>; rel="api-catalog"`);
    send(reply, this.discovery.catalog(), CATALOG);
  }
}

const send = (reply: FastifyReply, { bytes, contentSha256 }: WrittenDocument, mediaType: string): void =>
  sendCacheable(reply, { etag: contentSha256, mediaType, cacheControl: 'public, no-cache', body: bytes });
