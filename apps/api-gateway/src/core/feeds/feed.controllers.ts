import { Controller, Inject, Param, Req, Res, type InjectionToken, type Type } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import {
  AnswerSigner,
  ApiError,
  CursorCodec,
  listQuerySchema,
  queryOf,
  sendSigned,
  SIGNED_HEADERS,
  type ListQuery,
  type RouteDeclaration,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { IMMUTABLE, sendPublicJson } from '../../platform/http/public-answer.js';
import type { QuotaName } from '../../platform/rate-limits/gateway-quotas.js';
import { ANSWER_SIGNER, BLOB_STORE } from '../../platform/tokens.js';
import type { Scope } from '../routes/scopes.js';
import { PublicFeed, type EvidencedFamily, type FeedFamily } from './public-feed.js';

/** The decorator of a route family that has public feeds. */
type FeedRoute = (declaration: RouteDeclaration<Scope, QuotaName, 'Public feed'>) => MethodDecorator;

const PUBLIC = { method: 'get', tag: 'Public feed', scopes: null, quota: 'public' } as const;

interface FeedList {
  readonly route: FeedRoute;
  /** The token of the `FeedFamily`. */
  readonly family: InjectionToken;
  readonly path: string;
  /** The id of the operation. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** The name of the list in the family's discovery document. */
  readonly discovery?: string;
  /** The number of records on a page unless the query states it. */
  readonly defaultLimit: number;
  readonly hasTag: boolean;
  readonly answer: { readonly schema: z.ZodType; readonly example?: unknown };
}

/** Creates the controller of a feed's list. */
export function feedListController({ route, family, path, defaultLimit, hasTag, answer, ...rest }: FeedList): Type {
  @Controller()
  class FeedListController {
    private readonly feed: PublicFeed;

    constructor(
      @Inject(family) registered: FeedFamily,
      cursors: CursorCodec,
      @Inject(ANSWER_SIGNER) private readonly signer: AnswerSigner,
    ) {
      this.feed = new PublicFeed(path, registered, cursors);
    }

    @route({
      ...PUBLIC,
      ...rest,
      path,
      query: listQuerySchema(defaultLimit),
      ...(hasTag ? { entityTag: 'SHA-256 digest of the response body.' } : {}),
      answers: { 200: { description: 'A page of results.', headers: SIGNED_HEADERS, ...answer } },
      errors: ['CURSOR_INVALID'],
    })
    async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const bytes = await this.feed.list(queryOf<ListQuery>(request));
      sendSigned(reply, this.signer, { bytes, path, cacheControl: 'public, max-age=5', hasTag });
    }
  }
  return FeedListController;
}

interface FeedEvidence {
  readonly route: FeedRoute;
  /** The token of the `EvidencedFamily`. */
  readonly family: InjectionToken;
  /** The path of the feed's list. */
  readonly feed: string;
  /** The parameter of the path that names a launch. */
  readonly launch: 'launchId' | 'onchainLaunchId';
  /** The id of the operation. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: { readonly description: string; readonly schema: z.ZodType };
}

/** Creates the controller of the evidence of a feed's launches. */
export function feedEvidenceController({ route, family, feed, launch, answer, ...rest }: FeedEvidence): Type {
  @Controller()
  class FeedEvidenceController {
    constructor(
      @Inject(family) private readonly evidenced: EvidencedFamily,
      @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    ) {}

    @route({
      ...PUBLIC,
      ...rest,
      path: `${feed}/{${launch}}/evidence/{evidenceSha256}`,
      entityTag: 'SHA-256 digest of the response body.',
      answers: { 200: answer },
      errors: ['NOT_FOUND'],
    })
    async evidence(
      @Res() reply: FastifyReply,
      @Param(launch) id: string,
      @Param('evidenceSha256') hex: string,
    ): Promise<void> {
      const sha256 = `sha256:${hex}` as const;
      if (!(await this.evidenced.hasEvidence(id, sha256))) throw new ApiError('NOT_FOUND');
      sendPublicJson(reply, { bytes: await this.blobs.get(sha256), sha256 }, IMMUTABLE);
    }
  }
  return FeedEvidenceController;
}
