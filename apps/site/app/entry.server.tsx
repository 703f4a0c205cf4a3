import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type AppLoadContext, type EntryContext } from 'react-router';
import { pageHeaders } from './site/content-security.js';

const ABORT_MS = 15_000;

/** Renders a page. Crawlers get the whole page at once. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  { nonce, settings }: AppLoadContext,
): Promise<Response> {
  const wantsAll = isbot(request.headers.get('user-agent') ?? '') || context.isSpaMode;
  return new Promise((resolve, reject) => {
    let statusNow = status;
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={context} url={request.url} nonce={nonce} />, {
      nonce,
      [wantsAll ? 'onAllReady' : 'onShellReady']() {
        const body = new PassThrough();
        headers.set('Content-Type', 'text/html; charset=utf-8');
        for (const [name, value] of Object.entries(pageHeaders(nonce, settings.gatewayUrl))) headers.set(name, value);
        if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
        resolve(new Response(createReadableStreamFromReadable(body), { headers, status: statusNow }));
        pipe(body);
      },
      onShellError: reject,
      onError(error) {
        statusNow = 500;
        process.stderr.write(
          `${JSON.stringify({ level: 'error', service: 'site', msg: 'a page failed', error: String(error) })}\n`,
        );
      },
    });
    setTimeout(abort, ABORT_MS).unref();
  });
}
