import { Controller, Req, Res } from '@nestjs/common';
import { bodyOf, readSchema, readStrictJson } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { unauthenticated } from '../../../../core/accounts/credentials/credential.service.js';
import { isOwnPage, ReviewerSessions } from '../reviewer-session.js';
import { ReviewerRoute } from '../reviewer.route.js';

const sessionSchema = z.strictObject({ key: z.string().min(1).max(256) }).meta({ id: 'ReviewerSession' });
const BODY_BYTES = 1_024;

/** Begins and ends the session of a browser (ADR 0063). */
@Controller()
export class SessionController {
  constructor(private readonly sessions: ReviewerSessions) {}

  @ReviewerRoute({
    method: 'post',
    path: '/session',
    id: 'beginSession',
    tag: 'Console',
    scopes: null,
    quota: 'public',
    summary: "Trade a reviewer's key for a session",
    description: 'For the pages of the console alone. The cookie ends after four hours, and with the key.',
    body: { schema: sessionSchema, maxBytes: BODY_BYTES, mediaType: 'application/json', form: 'strict' },
    answers: { 204: { description: 'The session.', headers: { 'Set-Cookie': 'HttpOnly, SameSite=Strict.' } } },
    errors: ['UNAUTHENTICATED', 'API_SCOPE_REQUIRED'],
  })
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    mustBeOwnPage(request);
    const { key } = readSchema(sessionSchema, readStrictJson(bodyOf(request)));
    await this.sessions.begin(key, reply);
    reply.code(204).header('cache-control', 'no-store').send();
  }

  @ReviewerRoute({
    method: 'post',
    path: '/session/end',
    id: 'endSession',
    tag: 'Console',
    scopes: null,
    quota: 'public',
    takesNoBody: true,
    summary: 'End the session of this browser',
    answers: { 204: { description: 'There is no session any more.' } },
    errors: ['UNAUTHENTICATED'],
  })
  end(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    mustBeOwnPage(request);
    this.sessions.end(reply);
    reply.code(204).header('cache-control', 'no-store').send();
  }
}

/** @throws ApiError for a request from a page of another site. */
function mustBeOwnPage(request: FastifyRequest): void {
  if (!isOwnPage(request)) throw unauthenticated();
}
