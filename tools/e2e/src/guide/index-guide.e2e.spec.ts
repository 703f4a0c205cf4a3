import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { awaitIndexed, type MadeLaunch } from '@launch/start';
import { DescribedApi } from '../fixtures/described-api.fixture.js';
import { sha256, type Json } from '../fixtures/spec-client.fixture.js';
import { sharedSourceLaunches } from '../stacks/of-the-run.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { GuideSession } from './guide-session.js';
import { guideSteps } from './guide-steps.js';
import { writeTranscript } from './transcript.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const STARTS_MS = 300_000;
/** Answers without a schema in the description: exact bytes, whose digest is in the route. */
const BY_DIGEST = 'getSourceAbi';

let access: StackAccess;
let launch: MadeLaunch;
beforeAll(async () => {
  access = await useStack('launches');
  const made = await sharedSourceLaunches();
  const of = (version: MadeLaunch['sourceVersion']) => made.find(({ sourceVersion }) => sourceVersion === version)!;
  launch = of('ethereum-custom-v1');
  // The guide uses the first Foundation launch that it finds.
  await awaitIndexed({ stack: access.stack, timeoutMs: STARTS_MS }, [launch, of('module-foundation-v1')]);
}, STARTS_MS);

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly tags: readonly string[] }>>>
  >;
}

describe('the guide of indexers, typed unchanged,', () => {
  it(
    'reads every public route of the index and gets each answer as it is described',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'index-guide-'));
      const filled = (value: string) => ({ value: () => value, shown: false });
      const session = new GuideSession(folder, {
        SERVICE_API_BASE_URL: filled(access.gateway),
        TOKEN: filled(launch.token),
        ACCOUNT: filled(launch.launchWallet!),
      });
      try {
        const document = (await (await fetch(`${access.gateway}/openapi.json`)).json()) as Described;
        const described = new DescribedApi(document as never);
        const guide = await readFile(path.join(ROOT, 'docs/guides/indexing.md'), 'utf8');
        const asked = new Set<string>();
        for (const step of guideSteps(guide)) {
          await session.type(step);
          const [, name, target] = /^read_index ([a-z-]+) (.+)$/.exec(step.text) ?? [];
          if (name === undefined || target === undefined) continue;
          const route = await session.expand(target);
          const bytes = await readFile(path.join(folder, `${name}.json`));
          const operation = operationOf(document, route);
          const wrong =
            operation === BY_DIGEST
              ? route.includes(sha256(bytes))
                ? []
                : ['other bytes']
              : described.answer('GET', route, 200, JSON.parse(bytes.toString()));
          expect([route, wrong]).toEqual([route, []]);
          asked.add(operation);
        }
        const coin = JSON.parse(await readFile(path.join(folder, 'foundation-coin.json'), 'utf8')) as Json;
        expect(coin['launch'].sourceKind).toBe('module-foundation-v1');
        const listed = [...guide.matchAll(/^\| `GET (\/[^`?]+)/gm)].map(([, route]) => operationOf(document, route!));
        expect(listed.length).toBeGreaterThan(0);
        const wanted = Object.values(document.paths).flatMap(({ get }) =>
          get?.tags.includes('Coins') === true ? [get.operationId] : [],
        );
        expect([...asked]).toEqual(expect.arrayContaining([...listed, ...wanted]));
        if (process.env['WRITE_TRANSCRIPTS'] === '1')
          await writeTranscript(
            'indexing',
            'Every public read of the index',
            'following [the guide](../guides/indexing.md)',
            session.transcript,
          );
      } finally {
        await session.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    STARTS_MS,
  );
});

/** Returns the operation of a route without parameters, or of the only template that matches it. */
function operationOf({ paths }: Described, route: string): string {
  const segments = route.split('?')[0]!.split('/');
  const fits = Object.keys(paths).filter((template) => {
    const parts = template.split('/');
    return parts.length === segments.length && parts.every((part, at) => part === segments[at] || part.startsWith('{'));
  });
  const template = fits.find((one) => !one.includes('{')) ?? fits[0] ?? '';
  return paths[template]?.['get']?.operationId ?? '';
}
