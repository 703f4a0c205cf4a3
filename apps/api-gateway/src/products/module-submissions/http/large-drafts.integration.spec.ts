import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { gatedFormReader, type GatedFormReader } from '../../../fixtures/gated-form-reader.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';

const SUBMISSIONS = '/v1/modules/submissions';
const MIB = 1_024 * 1_024;

let folder: string;
let gate: GatedFormReader;
let gateway: Harness;
let author: `0x${string}`;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'large-drafts-'));
  gate = await gatedFormReader(path.join(folder, 'reader'));
  gateway = await startHarness({ formReader: gate.reader });
});
afterAll(async () => {
  await gateway?.close();
  await gate?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  author = `0x${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 40)}`;
  ({ key } = await gateway.issueKey(['modules:submit', 'modules:read'], author));
});

const newKey = (): string => `module-${randomUUID()}`;
const small = (version = '1.0.0'): string =>
  JSON.stringify(moduleSubmission({ 'src/M.sol': '// M\n' }, { author, version }));
const headersFor = (idempotencyKey: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'idempotency-key': idempotencyKey,
});
const submit = (body: Uint8Array | string, idempotencyKey = newKey()): Promise<Answer> =>
  call(gateway.url + SUBMISSIONS, { method: 'POST', body, headers: headersFor(idempotencyKey) });
const get = (route: string): Promise<Answer> => call(gateway.url + route, { key });
const outcomeOf = ({ status, json }: Answer): unknown => [status, json.error?.code];

/** Returns the largest admissible package, in a body of the largest admissible size. */
function largest(): Buffer {
  const files = Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [`src/Part${index}.txt`, String(index).repeat(4 * MIB)]),
  );
  const text = JSON.stringify(moduleSubmission({}, { author }));
  const request = JSON.parse(text) as ReturnType<typeof moduleSubmission>;
  for (const [name, content] of Object.entries(files)) {
    const sha256 = createHash('sha256').update(content).digest('hex');
    request.package.source.files.push({ path: name, sha256 });
    request.files.push({ path: name, sha256, contentBase64: Buffer.from(content).toString('base64') });
  }
  return Buffer.concat([Buffer.from(JSON.stringify(request)), Buffer.alloc(24 * MIB, ' ')]).subarray(0, 24 * MIB);
}

describe('A draft of 24 MiB', () => {
  it('is read in a separate thread while other requests are answered, and holds its slot meanwhile', async () => {
    const body = largest();
    const idempotencyKey = newKey();
    const [{ now }] = (await runSql<{ now: Date }>(gateway.database, 'SELECT now()')) as [{ now: Date }];
    const submitted = submit(body, idempotencyKey);
    await gate.begun();
    // Independent of the time that the thread takes: it is blocked.
    const others = await Promise.all([get('/v1/modules/capabilities'), get(SUBMISSIONS), submit(small('9.0.0'))]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 201]);
    const [place] = await runSql<{ seconds: number }>(
      gateway.database,
      `SELECT extract(epoch FROM max(ends) - $1)::float AS seconds FROM work_place, unnest(ends_at) AS ends WHERE owner LIKE 'module-create/%'`,
      [now],
    );
    expect(place!.seconds).toBeGreaterThanOrEqual(60);
    gate.open();
    const created = await submitted;
    expect([created.status, created.json.byteCount, created.json.fileCount]).toEqual([201, 16 * MIB, 4]);
    expect(created.json.requestDigest).toBe(`sha256:${createHash('sha256').update(body).digest('hex')}`);
    expect(Buffer.from(await gateway.blobs.get(created.json.requestDigest)).equals(body)).toBe(true);

    // A replay is answered from its record, without a reader thread.
    const replayed = await submit(body, idempotencyKey);
    expect([replayed.status, replayed.text]).toEqual([200, created.text]);
    // The same bytes under another key are already on the disk.
    const again = submit(body);
    await gate.begun();
    gate.open();
    expect(outcomeOf(await again)).toEqual([409, 'MODULE_PACKAGE_CONFLICT']);
    expect(outcomeOf(await submit(Buffer.concat([body, Buffer.from(' ')])))).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('leaves no draft and binds no key when its sender disconnects before its end', async () => {
    const idempotencyKey = newKey();
    const { hostname, port } = new URL(gateway.url);
    const head = Object.entries(headersFor(idempotencyKey)).map(([name, value]) => `${name}: ${value}\r\n`);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`POST ${SUBMISSIONS} HTTP/1.1\r\nhost: x\r\n${head.join('')}content-length: ${24 * MIB}\r\n\r\n`);
        socket.write(Buffer.alloc(MIB, ' '), () => socket.destroy());
      });
      socket.once('error', reject).once('close', () => resolve());
    });
    expect((await get(SUBMISSIONS)).json.items).toEqual([]);
    expect((await submit(small(), idempotencyKey)).status).toBe(201);
  });
});

describe('A draft from another client', () => {
  const bytes = (): Buffer => Buffer.from(small());
  const inPieces = (body: Buffer): Buffer[] => Array.from(body, (byte) => Buffer.of(byte));

  it.each<[string, () => { headers?: Record<string, string>; chunks: Buffer[] }]>([
    ['in chunks of no announced length', () => ({ headers: { 'transfer-encoding': 'chunked' }, chunks: [bytes()] })],
    ['in chunks of a byte', () => ({ headers: { 'transfer-encoding': 'chunked' }, chunks: inPieces(bytes()) })],
    ['over a connection that ends with it', () => ({ headers: { connection: 'close' }, chunks: [bytes()] })],
    ['that waits to be asked for its body', () => ({ headers: { expect: '100-continue' }, chunks: [bytes()] })],
    ['with a charset', () => ({ headers: { 'content-type': 'application/json; charset=UTF-8' }, chunks: [bytes()] })],
    [
      'as one line of pretty JSON after another',
      () => ({ chunks: [Buffer.from(JSON.stringify(JSON.parse(small()), null, 4))] }),
    ],
  ])('%s is received', async (_how, request) => {
    const { headers = {}, chunks } = request();
    const length: Record<string, string> =
      headers['transfer-encoding'] === undefined ? { 'content-length': String(Buffer.concat(chunks).length) } : {};
    const answer = await rawCall(gateway.url + SUBMISSIONS, {
      method: 'POST',
      headers: { ...headersFor(newKey()), ...length, ...headers },
      chunks,
    });
    expect(answer.status).toBe(201);
    expect((await get(`${SUBMISSIONS}/${answer.json.submissionId}`)).text).toBe(answer.text);
  });

  it.each<[string, () => readonly [Buffer | string, Record<string, string>], number, string]>([
    ['packed by gzip', () => [gzipSync(small()), { 'content-encoding': 'gzip' }], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of another type', () => [small(), { 'content-type': 'text/plain' }], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['as a form', () => [small(), { 'content-type': 'multipart/form-data' }], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['with a byte order mark', () => [`\ufeff${small()}`, {}], 400, 'JSON_SYNTAX'],
    ['with a member twice', () => [small().replace('{', '{"supersedes":null,'), {}], 400, 'JSON_DUPLICATE_KEY'],
    ['in UTF-16', () => [Buffer.from(small(), 'utf16le'), {}], 400, 'JSON_SYNTAX'],
    ['with nothing in it', () => ['', {}], 400, 'JSON_EMPTY'],
    ['with a member that is unknown', () => [small().replace('{', '{"more":1,'), {}], 422, 'SCHEMA_UNKNOWN_FIELD'],
    [
      'under a key that is too short',
      () => [small(), { 'idempotency-key': 'a'.repeat(15) }],
      400,
      'IDEMPOTENCY_KEY_INVALID',
    ],
    [
      'under a key that is too long',
      () => [small(), { 'idempotency-key': 'a'.repeat(129) }],
      400,
      'IDEMPOTENCY_KEY_INVALID',
    ],
    [
      'under a key of other characters',
      () => [small(), { 'idempotency-key': 'sixteen characters' }],
      400,
      'IDEMPOTENCY_KEY_INVALID',
    ],
  ])('%s is refused and leaves nothing', async (_how, request, status, code) => {
    const [body, headers] = request();
    const idempotencyKey = newKey();
    const answer = await call(gateway.url + SUBMISSIONS, {
      method: 'POST',
      body,
      headers: { ...headersFor(idempotencyKey), ...headers },
    });
    expect(outcomeOf(answer)).toEqual([status, code]);
    expect((await get(SUBMISSIONS)).json.items).toEqual([]);
    expect((await submit(small(), idempotencyKey)).status).toBe(201);
  });

  it('that arrives too slowly is abandoned, and its key stays free', async () => {
    const impatient = await startHarness({ beside: gateway, limits: { bodyTimeoutMs: 100 } });
    try {
      const { hostname, port } = new URL(impatient.url);
      const idempotencyKey = newKey();
      const head = Object.entries(headersFor(idempotencyKey)).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST ${SUBMISSIONS} HTTP/1.1\r\nhost: x\r\n${head.join('')}content-length: 1000\r\n\r\n{`);
        });
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString());
        });
        socket.once('error', reject);
      });
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect((await submit(small(), idempotencyKey)).status).toBe(201);
    } finally {
      await impatient.close();
    }
  });
});
