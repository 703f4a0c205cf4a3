import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { isOutage, type Logger } from '@launch/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, detailedRefusal } from './api.error.js';
import { DEFAULT_ERRORS } from './error-answer.js';
import type { CrossOrigin } from '../routes/cross-origin.js';
import { MethodsByPath } from '../routes/methods-by-path.js';
import { markVersion } from '../routes/response-versions.js';
import { sendJson } from '../answers/send-json.js';

/** Fastify's own refusals of a request, as codes of the catalogue. */
const FASTIFY_CODES: Readonly<Record<string, ConstructorParameters<typeof ApiError>[0]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
};

/** Converts every thrown value to the error contract; an unforeseen one is `INTERNAL` and logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly methods: MethodsByPath,
    private readonly crossOrigin: CrossOrigin,
    private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Answers outside Nest's own pipeline too (hooks, malformed URLs). */
  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    let error = this.translate(thrown, request);
    const allowed = error.code === 'NOT_FOUND' ? this.methods.allowedFor(request.raw.url ?? '') : null;
    if (allowed !== null && !allowed.includes(request.method)) {
      const expected = allowed.join(', ');
      error = detailedRefusal(
        'METHOD_NOT_ALLOWED',
        '',
        { expected, actual: request.method },
        { headers: { allow: expected } },
      );
    } else if (allowed !== null && request.method === 'OPTIONS') {
      this.crossOrigin.permit(request, reply, this.methods, allowed);
      reply.code(204).header('allow', allowed.join(', ')).header('cache-control', 'no-store').send();
      return;
    }
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
    const { route } = request.exchange;
    // Fastify matches an empty segment to a parameter; no family owns such a path.
    const named = error.code === 'NOT_FOUND' ? undefined : route?.family;
    const family = named ?? this.methods.familyOf(request.raw.url ?? '');
    const errors = family?.errors ?? DEFAULT_ERRORS;
    const { status, retryAfterSeconds } = errors.head(error);
    if (retryAfterSeconds !== null) reply.header('retry-after', String(retryAfterSeconds));
    reply.code(status);
    reply.header('cache-control', 'private, no-store');
    reply.header('vary', 'Accept, Authorization');
    // Answers of a route set their version when they are sent.
    if (route === undefined) markVersion(request, reply, family?.versions);
    const form = errors.formFor(request.headers.accept);
    sendJson(reply, form.body(error, request.id), form.mediaType);
  }

  private translate(thrown: unknown, request: FastifyRequest): ApiError {
    if (thrown instanceof ApiError) {
      if (thrown.status >= 500 && thrown.cause !== undefined)
        this.logger.warn({ err: thrown.cause, requestId: request.id, code: thrown.code }, 'refused until it passes');
      return thrown;
    }
    if (thrown instanceof HttpException && thrown.getStatus() === 404) return new ApiError('NOT_FOUND');
    const code = codeOf(thrown);
    const known = code === undefined ? undefined : FASTIFY_CODES[code];
    if (known !== undefined) return new ApiError(known);
    this.logger.error(
      { err: thrown, requestId: request.id, method: request.method, route: request.routeOptions?.url },
      'request failed',
    );
    if (isOutage(thrown)) return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return new ApiError('INTERNAL');
  }
}

function codeOf(thrown: unknown): string | undefined {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}
