import { Controller, Req, Res } from '@nestjs/common';
import { REVIEW_STATES } from '@launch/contracts';
import { decodeUtf8 } from '@launch/contracts/json';
import { ApiError, boundedCursor, queryOf, sendCacheable } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { OpenApiDocument } from '../../discovery/openapi/openapi.document.js';
import { ReadReviewsService } from '../read-reviews.service.js';
import { ReviewerRoute } from '../reviewer-routes.js';
import { ReviewerSessions } from '../reviewer-session.js';
import { pathOf } from '../reviews.controller.js';
import { readConsoleAssets } from './console.assets.js';
import { diffPage, filePage, queuePage, submissionPage } from './console.pages.js';
import { CONTENT_SECURITY_POLICY, errorPage, signInPage } from './layout.page.js';

const CACHE_CONTROL = 'no-cache';

const queueQuery = z.strictObject({ state: z.enum(REVIEW_STATES).optional(), cursor: boundedCursor(512) });
const PAGE = {
  method: 'get',
  tag: 'Console',
  scopes: null,
  quota: 'public',
  answers: {
    200: { description: 'The page.', mediaTypes: ['text/html'] },
    303: { description: 'To the sign-in page, without a session.' },
  },
} as const;

/** The pages of the console: server-rendered, for a browser with a session. */
@Controller()
export class ConsoleController {
  private readonly assets = readConsoleAssets();

  constructor(
    private readonly reading: ReadReviewsService,
    private readonly sessions: ReviewerSessions,
    private readonly openapi: OpenApiDocument,
  ) {}

  @ReviewerRoute({ ...PAGE, path: '/', id: 'getQueuePage', query: queueQuery, summary: 'The queue' })
  queue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(request, reply, async () => {
      const { state, cursor } = queryOf<z.output<typeof queueQuery>>(request);
      return queuePage(await this.reading.queue(state, cursor), state);
    });
  }

  @ReviewerRoute({ ...PAGE, path: '/submissions/{submissionId}', id: 'getSubmissionPage', summary: 'A submission' })
  submission(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(request, reply, async () => {
      const page = await this.reading.page(pathOf(request).submissionId);
      return submissionPage(page, await this.reading.findingsOf(page.row));
    });
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/submissions/{submissionId}/files/{sha256}',
    id: 'getFilePage',
    summary: 'A file as text, with what was found at its lines',
  })
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(request, reply, async () => {
      const { submissionId, sha256 } = pathOf(request);
      const page = await this.reading.page(submissionId);
      const { bytes, path } = await this.reading.file(submissionId, sha256);
      const { findings } = await this.reading.findingsOf(page.row);
      return filePage(
        page,
        { path, sha256, text: decodeUtf8(bytes) ?? null, byteCount: bytes.length },
        findings.filter(({ source }) => source?.path === path),
      );
    });
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/submissions/{submissionId}/diff',
    id: 'getDiffPage',
    summary: 'What differs from the superseded submission',
  })
  diff(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.show(request, reply, async () => diffPage(await this.reading.diff(pathOf(request).submissionId)));
  }

  @ReviewerRoute({ ...PAGE, path: '/sign-in', id: 'getSignInPage', summary: 'Where a session begins' })
  signIn(@Res() reply: FastifyReply): void {
    sendPage(reply, signInPage());
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/assets/{asset}',
    id: 'getConsoleAsset',
    summary: 'The script and style of the pages',
    entityTag: 'SHA-256 of the bytes.',
    answers: { 200: { description: 'The file.', mediaTypes: ['text/css', 'text/javascript'] } },
    errors: ['NOT_FOUND'],
  })
  asset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const asset = this.assets.get((request.params as { readonly asset: string }).asset);
    if (asset === undefined) throw new ApiError('NOT_FOUND');
    const { contentSha256, mediaType, bytes } = asset;
    sendCacheable(reply, { etag: contentSha256, mediaType, cacheControl: CACHE_CONTROL, body: bytes });
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/openapi.json',
    id: 'getReviewerOpenApi',
    summary: 'The description of this listener',
    entityTag: 'SHA-256 of the bytes.',
    answers: { 200: { description: 'The description.' } },
  })
  document(@Res() reply: FastifyReply): void {
    sendCacheable(reply, {
      etag: this.openapi.contentSha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: CACHE_CONTROL,
      body: this.openapi.bytes,
    });
  }

  private async show(request: FastifyRequest, reply: FastifyReply, page: () => Promise<string>): Promise<void> {
    if ((await this.sessions.find(request)) === null) {
      reply.code(303).header('location', '/sign-in').header('cache-control', 'no-store').send();
      return;
    }
    try {
      sendPage(reply, await page());
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 500) throw error;
      reply.code(error.status);
      sendPage(reply, errorPage(error.status, error.message));
    }
  }
}

function sendPage(reply: FastifyReply, page: string): void {
  reply
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('content-type', 'text/html; charset=utf-8')
    .send(page);
}
