import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { launchApi } from '../launch-api.js';
import { openReviewDesk, type Draft, type ReviewDesk } from '../fixtures/reviewed-module.fixture.js';
import { GuideSession } from './guide-session.js';
import { guideSteps } from './guide-steps.js';
import { writeTranscript } from './transcript.js';

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/guides/module-contribution.md');
const STARTS_MS = 240_000;
const TYPED_MS = 600_000;

const SOURCE = 'src/Switch.sol';

let stack: StackAccess;
let desk: ReviewDesk;
let author: string;
let key: string;
beforeAll(async () => {
  stack = await useStack('launches');
  desk = await openReviewDesk(stack);
  author = `0x${randomBytes(20).toString('hex')}`;
  key = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'], wallet: author });
}, STARTS_MS);

/** A reviewer asks for changes before anything is built. */
async function askForChanges(draft: Draft): Promise<void> {
  await desk.started(draft);
  const reason = 'Say in the contract what it is.';
  const decision = await desk.signed(draft, 0, { outcome: 'request_changes', reason });
  expect((await desk.change('POST', draft, 'decisions', 0, decision)).status).toBe(200);
}

/** A reviewer has the module built and accepts the result. */
async function accept(draft: Draft): Promise<void> {
  await desk.started(draft);
  const plan = desk.plan(draft, { targets: [{ path: SOURCE, contract: 'Switch' }] });
  expect((await desk.change('PUT', draft, 'plan', 0, plan)).status).toBe(200);
  const { review, build } = await desk.until(draft, 'built');
  const { artifactDigest, hostManifestDigest } = build!;
  const decision = await desk.signed(draft, review.revision, { outcome: 'accept', artifactDigest, hostManifestDigest });
  expect((await desk.change('POST', draft, 'decisions', review.revision, decision)).status).toBe(200);
}

describe('the guide of modules, typed unchanged,', () => {
  it(
    'takes a module from its folder through requested changes and a linked revision to its acceptance',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'module-guide-'));
      const filled = (value: string) => ({ value: () => value, shown: false });
      const session = new GuideSession(folder, {
        SERVICE_API_BASE_URL: filled(stack.gateway),
        SERVICE_MODULES_API_KEY: filled(key),
        AUTHOR: filled(author),
      });
      try {
        const said: string[] = [];
        const json = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8'));
        const draftOf = async (answer: string): Promise<Draft> => ({
          ...(await json(answer)).resource,
          files: { [SOURCE]: await readFile(path.join(folder, 'switch', SOURCE), 'utf8') },
          author: launchApi(stack.gateway, key),
        });
        for (const step of guideSteps(await readFile(GUIDE, 'utf8'))) {
          if (step.until === '"state":"changes_requested"') await askForChanges(await draftOf('submitted.json'));
          if (step.until === '"state":"accepted"') await accept(await draftOf('revised.json'));
          said.push(await session.type(step));
        }
        expect(said.map((one) => one.trim())).toEqual(expect.arrayContaining(['201 200 true']));
        expect(said.find((one) => one.includes('"command":"check-client"'))).toContain('client-check.v1');
        const states = [...said.join('\n').matchAll(/"nextAction":"(\w+)"/g)].map(([, action]) => action);
        expect(states).toEqual(['await_review_plan', 'submit_new_version', 'await_registry_admission']);
        const [first, revised] = [await json('submitted.json'), await json('revised.json')];
        expect(revised.resource.supersedes).toBe(first.resource.submissionId);
        expect(JSON.parse(said.at(-1)!)).toEqual(first.resource);
        for (const file of ['request.json', 'revision.json'])
          expect([file, (await stat(path.join(folder, file))).mode & 0o777]).toEqual([file, 0o600]);
        expect(session.transcript).not.toContain(key);
        if (process.env['WRITE_TRANSCRIPTS'] === '1')
          await writeTranscript(
            'module',
            'A module, from its folder to an accepted revision',
            'following [the guide](../guides/module-contribution.md)',
            session.transcript,
          );
      } finally {
        await session.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    TYPED_MS,
  );
});
