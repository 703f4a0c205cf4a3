import { Controller, Inject, Req, Res } from '@nestjs/common';
import { REVIEW_STATES } from '@launch/contracts/states';
import { ApiError, boundedCursor, queryOf, sendCacheable } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { OpenApiDocument } from '../../../../platform/openapi/openapi.document.js';
import type { Caller } from '../../../../core/accounts/credentials/caller.js';
import { ReadReviewsService } from '../../domain/read-reviews.service.js';
import { ReviewerRoute } from '../reviewer.route.js';
import { ReviewerSessions } from '../reviewer-session.js';
import { pathOf } from '../reviews.controller.js';
import { readConsoleAssets } from './console.assets.js';
import {
  REVIEW_RENDERER,
  RenderingTooLarge,
  type RenderQuestion,
  type ReviewRenderer,
} from '../../domain/review-rendering.js';
import { queuePage } from './console.pages.js';
import { CONTENT_SECURITY_POLICY, errorPage, signInPage, tooLargePage } from './layout.page.js';

const CACHE_CONTROL = 'no-cache';
/** The status of a page that is too large to render: a repetition would cost as much. */
const TOO_LARGE = 422;

const queueQuery = z.strictObject({ state: z.enum(REVIEW_STATES).optional(), cursor: boundedCursor(512) });
const fileQuery = z.strictObject({
  from: z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/)
    .optional()
    .meta({ description: 'The line that the page begins at.' }),
});
const PAGE = {
  method: 'get',
  tag: 'Console',
  scopes: null,
  quota: 'public',
  answers: {
    200: { description: 'The page.', mediaTypes: ['text/html'] },
    303: { description: 'To the sign-in page, without a session.' },
    422: { description: 'Too large to render; the page links the bytes.', mediaTypes: ['text/html'] },
  },
} as const;

/** Serves the pages of the console, rendered by the server for a browser with a session. */
@Controller()
export class ConsoleController {
  private readonly assets = readConsoleAssets();

  constructor(
    private readonly reading: ReadReviewsService,
    private readonly sessions: ReviewerSessions,
    private readonly openapi: OpenApiDocument,
    @Inject(REVIEW_RENDERER) private readonly renderer: ReviewRenderer,
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
    return this.render(request, reply, () => this.reading.submissionPage(pathOf(request).submissionId));
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/submissions/{submissionId}/files/{sha256}',
    id: 'getFilePage',
    query: fileQuery,
    summary: 'A file as text, with what was found at its lines',
  })
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { submissionId, sha256 } = pathOf(request);
    const { from = '1' } = queryOf<z.output<typeof fileQuery>>(request);
    return this.render(request, reply, () => this.reading.filePage(submissionId, sha256, Number(from)));
  }

  @ReviewerRoute({
    ...PAGE,
    path: '/submissions/{submissionId}/diff',
    id: 'getDiffPage',
    summary: 'What differs from the superseded submission',
  })
  diff(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.render(request, reply, () => this.reading.diff(pathOf(request).submissionId, 'diff-page'));
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
      cacheControl: CACHE_CONTROL,
      body: this.openapi.bytes,
    });
  }

  /** Renders a page of a submission outside of the event loop. */
  private render(request: FastifyRequest, reply: FastifyReply, ask: () => Promise<RenderQuestion>): Promise<void> {
    return this.show(request, reply, async ({ lineageId }) => {
      try {
        return await this.renderer.render(lineageId, await ask());
      } catch (error) {
        if (!(error instanceof RenderingTooLarge)) throw error;
        const { submissionId, sha256 } = pathOf(request);
        reply.code(TOO_LARGE);
        return tooLargePage(submissionId, sha256);
      }
    });
  }

  private async show(
    request: FastifyRequest,
    reply: FastifyReply,
    page: (caller: Caller) => Promise<string | Uint8Array>,
  ): Promise<void> {
    const caller = await this.sessions.find(request);
    if (caller === null) {
      reply.code(303).header('location', '/sign-in').header('cache-control', 'no-store').send();
      return;
    }
    try {
      sendPage(reply, await page(caller));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 500) throw error;
      reply.code(error.status);
      sendPage(reply, errorPage(error.status, error.message));
    }
  }
}

function sendPage(reply: FastifyReply, page: string | Uint8Array): void {
  reply
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('content-type', 'text/html; charset=utf-8')
    .send(typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength));
}
