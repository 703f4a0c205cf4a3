import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import type { Browser } from 'puppeteer-core';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { sentOf } from '../../../clients/sdk/src/transport/packed.js';
import { waitingLaunch } from '../../../clients/core/src/fixtures/custom-launch-answers.fixture.js';
import {
  customLaunchConfig,
  customLaunchContext,
} from '../../../clients/multi-role/src/fixtures/custom-launch.fixture.js';
import { emptyFolder, packInto, run } from '../../../clients/packages/src/packages.fixture.js';
import { openBrowser } from './operating/browser.js';

const MINUTES = 60_000;
const CORPUS = new URL('../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const { request } = JSON.parse(readFileSync(CORPUS, 'utf8')) as { request: JsonValue };
const expected = canonicalizeJson(request);
const context = customLaunchContext();
const waiting = waitingLaunch(sentOf({ bytes: expected }));

const folder = emptyFolder();
const posted: Buffer[] = [];
let server: Server;
let origin: string;
let browser: Browser;

/** Answers as the service, and serves the files of the package. */
const answers: Readonly<Record<string, unknown>> = {
  '/.well-known/custom-launch.json': DISCOVERY_EXAMPLE,
  [`/v4/chains/4663/custom-launches/${waiting.launchId}`]: waiting,
  '/case.json': { config: customLaunchConfig(context), context },
};

beforeAll(async () => {
  const [sdk] = await packInto(folder.path, 'sdk');
  const unpacked = path.join(folder.path, 'sdk');
  mkdirSync(unpacked);
  await run('tar', ['-xzf', path.join(folder.path, sdk!.file), '--strip-components', '1', '-C', unpacked], folder.path);
  server = createServer((asked, response) => {
    const { pathname } = new URL(asked.url!, 'http://localhost');
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const json = (status: number, body: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (asked.method === 'POST') {
        posted.push(Buffer.concat(chunks));
        return json(202, waiting);
      }
      if (Object.hasOwn(answers, pathname)) return json(200, answers[pathname]);
      const file = path.join(unpacked, 'dist', pathname.replace(/^\/sdk\//, ''));
      if (pathname.startsWith('/sdk/') && existsSync(file))
        return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file));
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>An application</title>');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
}, 10 * MINUTES);
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  folder.remove();
});

/** The program of the guide, as a page runs it with the package's own files. */
const PROGRAM = `(async () => {
  const { createLaunchClient, LaunchClientError } = await import('./sdk/index.js');
  const { packCustomLaunch } = await import('./sdk/recipes/custom-launch.js');
  const { config, context } = await (await fetch('/case.json')).json();
  const packed = await packCustomLaunch(config, context);
  const launch = createLaunchClient({ baseUrl: location.origin, key: 'key' });
  const { launchId } = await launch.submit({ bytes: packed.bytes });
  const { walletTransaction } = await launch.waitFor(launchId, 'authorized', { pollMs: 10 });
  const refused = await packCustomLaunch({ ...config, nonce: '-1' }, context).catch((error) => error);
  return {
    report: packed.report,
    value: String(walletTransaction.value),
    refused: refused instanceof LaunchClientError && refused.findings.map(({ path }) => path),
  };
})()`;

describe('The SDK in a browser', () => {
  it(
    'packs the same bytes as the programs, submits them and offers the transaction to the wallet',
    async () => {
      const page = await browser.newPage();
      await page.goto(origin);
      const { report, value, refused } = (await page.evaluate(PROGRAM)) as {
        report: { requestSha256: string };
        value: string;
        refused: readonly string[];
      };
      expect(report.requestSha256).toBe(sha256Digest(expected));
      expect(posted.map((body) => body.equals(expected))).toEqual([true]);
      expect(value).toBe(waiting.handoff!.walletTransaction.value);
      expect(refused).toEqual(['/nonce']);
    },
    5 * MINUTES,
  );
});
