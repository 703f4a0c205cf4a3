import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import type { modulePackage } from '../../../libs/contracts/src/modules/module-package.fixture.js';
import { MODULE_FILES, moduleSubmission } from '../../../libs/contracts/src/modules/module-package.fixture.js';
import { freshKey } from './fixtures/launch-desk.fixture.js';
import { codesOf, errorOf, launchApi, type Answer, type LaunchApi } from './launch-api.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const SUBMISSIONS = '/v1/modules/submissions';
const SCOPES = ['modules:submit', 'modules:read'];

let stack: StackAccess;
let author: `0x${string}`;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  author = `0x${randomBytes(20).toString('hex')}`;
  api = launchApi(stack.gateway, await stack.issueKey({ scopes: SCOPES, wallet: author }));
}, STARTS_WITHIN_MS);

type Submission = ReturnType<typeof moduleSubmission>;
const draft = (more: Parameters<typeof modulePackage>[1] = {}, files = MODULE_FILES): Submission =>
  moduleSubmission(files, { author, ...more });
const submit = (body: unknown, idempotencyKey = freshKey()): Promise<Answer> =>
  api.send('POST', SUBMISSIONS, { body: JSON.stringify(body), headers: { 'idempotency-key': idempotencyKey } });
const idOf = ({ body }: Answer): string => (body as { submissionId: string }).submissionId;

describe('a module draft in the running product', () => {
  it('is received, replayed, read and listed as one receipt, and has no review while none is ready', async () => {
    const body = draft();
    const idempotencyKey = freshKey();
    const created = await submit(body, idempotencyKey);
    const replayed = await submit(body, idempotencyKey);
    expect([created.status, replayed.status]).toEqual([201, 200]);
    const read = await api.send('GET', `${SUBMISSIONS}/${idOf(created)}`);
    const list = await api.send('GET', SUBMISSIONS);
    expect([replayed.body, read.body, (list.body as { items: unknown[] }).items]).toEqual([
      created.body,
      created.body,
      [created.body],
    ]);
    expect(created.body).toMatchObject({
      requestDigest: `sha256:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`,
      status: 'draft_received',
    });
    const review = await api.send('GET', `${SUBMISSIONS}/${idOf(created)}/review`);
    expect([review.status, errorOf(review).code]).toEqual([503, 'MODULE_REVIEW_UNAVAILABLE']);
  });

  it('is refused for its conflicts, each by its code', async () => {
    const idempotencyKey = freshKey();
    const first = await submit(draft({ family: 'conflicts' }), idempotencyKey);
    expect(first.status).toBe(201);
    const other = { ...MODULE_FILES, 'src/Other.sol': '// other\n' };
    const answers = [
      await submit(draft({ family: 'conflicts', version: '2.0.0' }), idempotencyKey),
      await submit(draft({ family: 'conflicts' })),
      await submit(draft({ family: 'conflicts' }, other)),
      await submit({ ...draft({ family: 'lineage' }), supersedes: idOf(first) }),
    ];
    expect(answers.map((answer) => [answer.status, errorOf(answer).code])).toEqual([
      [409, 'MODULE_IDEMPOTENCY_CONFLICT'],
      [409, 'MODULE_PACKAGE_CONFLICT'],
      [409, 'MODULE_VERSION_ALREADY_SUBMITTED'],
      [422, 'MODULE_REVISION_LINEAGE_INVALID'],
    ]);
  });

  it('is refused for its content with every code at once', async () => {
    const stranger = draft({ author: `0x${'7'.repeat(40)}`, rewardWallet: `0x${'0'.repeat(40)}` });
    const [readme, source] = [stranger.files[1]!, stranger.files[0]!];
    readme.path = '../README.md';
    source.contentBase64 = Buffer.from('something else').toString('base64');
    const refused = await submit(stranger);
    expect(refused.status).toBe(422);
    expect([...new Set(codesOf(refused))].sort()).toEqual([
      'MODULE_AUTHOR_MISMATCH',
      'MODULE_FILE_HASH',
      'MODULE_PATH_INVALID',
      'OPEN_ADDRESS',
      'OPEN_SOURCE_HASH',
    ]);
    const many = Object.fromEntries(Array.from({ length: 129 }, (_, index) => [`src/F${index}.sol`, `// ${index}\n`]));
    const tooMany = await submit(draft({ family: 'many' }, many));
    expect([tooMany.status, errorOf(tooMany).code]).toEqual([422, 'MODULE_LIMIT_EXCEEDED']);
  });

  it('is refused for a key of launches, whose own routes refuse a key of modules', async () => {
    const launches = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'], wallet: author });
    const refused = await api.send('GET', SUBMISSIONS, { key: launches });
    expect([refused.status, errorOf(refused).code]).toEqual([403, 'API_SCOPE_REQUIRED']);
    const reverse = await api.send('GET', '');
    expect([reverse.status, errorOf(reverse).code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});
