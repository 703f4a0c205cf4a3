import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { GuideSession } from './guide-session.js';
import { guideSteps } from './guide-steps.js';
import { writeTranscript } from './transcript.js';

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/guides/module-contribution.md');
const STARTS_MS = 240_000;
const TYPED_MS = 600_000;

let stack: StackAccess;
let author: string;
let key: string;
beforeAll(async () => {
  stack = await useStack('launches');
  author = `0x${randomBytes(20).toString('hex')}`;
  key = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'], wallet: author });
}, STARTS_MS);

describe('the guide of modules, typed as it stands', () => {
  it(
    'takes a module from its folder to a draft, its review and a linked revision',
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
        for (const step of guideSteps(await readFile(GUIDE, 'utf8'))) said.push(await session.type(step));
        expect(said.map((one) => one.trim())).toEqual(expect.arrayContaining(['as published', '201 200 true']));
        const states = [...said.join('\n').matchAll(/"nextAction":"(\w+)"/g)].map(([, action]) => action);
        expect(states).toEqual(['await_review_plan', 'await_review_plan']);
        const json = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8'));
        const [first, revised] = [await json('submitted.json'), await json('revised.json')];
        expect(revised.resource.supersedes).toBe(first.resource.submissionId);
        expect(JSON.parse(said.at(-1)!)).toEqual(first.resource);
        for (const file of ['request.json', 'revision.json'])
          expect([file, (await stat(path.join(folder, file))).mode & 0o777]).toEqual([file, 0o600]);
        expect(session.transcript).not.toContain(key);
        if (process.env['WRITE_TRANSCRIPTS'] === '1')
          await writeTranscript(
            'module',
            'A module, from its folder to a linked revision',
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
