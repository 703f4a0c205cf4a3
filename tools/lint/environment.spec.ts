import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';

const root = path.resolve(import.meta.dirname, '../..');
const SCHEMA_FILES = globSync(['apps/*/src/config.ts', 'apps/*/src/**/*.config.ts', 'apps/site/server/*.config.ts'], {
  cwd: root,
}).sort();

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly comment: string;
}
const example = readFileSync(path.join(root, '.env.example'), 'utf8');
const variables: readonly Variable[] = [...example.matchAll(/^# (.+)\n([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, comment, name, value]) => ({ name: name!, value: value!, comment: comment! }),
);

/** Services that are a further program of a project. */
const FURTHER_SERVICES: Readonly<Record<string, string>> = {
  'apps/api-gateway/src/composition/review-console/review-console.config.ts': 'review-console',
};

/** Fields of each service by its name, which is that of its project unless the project has several. */
async function schemas(): Promise<ReadonlyMap<string, Readonly<Record<string, z.ZodType>>>> {
  const byService = new Map<string, Record<string, z.ZodType>>();
  // One after the other: Jest cannot link two graphs at once that share a module with a top-level await.
  for (const file of SCHEMA_FILES) {
    const { configSchema } = (await import(path.join(root, file))) as { readonly configSchema?: z.ZodObject };
    if (configSchema === undefined) throw new TypeError(`${file} must export configSchema`);
    const service = FURTHER_SERVICES[file] ?? file.split(path.sep)[1]!;
    byService.set(service, { ...byService.get(service), ...(configSchema.shape as Record<string, z.ZodType>) });
  }
  return byService;
}

/** Services that a comment names in its brackets. */
function readersOf(comment: string, services: readonly string[]): readonly string[] {
  const named = /^\[([^\]]+)\]/.exec(comment)?.[1] ?? '';
  if (!named.startsWith('all')) return named.split(', ');
  const except = named.replace(/^all( but )?/, '').split(', ');
  return services.filter((service) => !except.includes(service));
}

describe('.env.example', () => {
  it('has a line and a comment for every variable of every configuration schema, and no other', async () => {
    const declared = new Set([...(await schemas()).values()].flatMap((fields) => Object.keys(fields)));
    expect(variables.map(({ name }) => name).sort()).toEqual([...declared].sort());
    expect(example.match(/^[A-Z]\w*=/gm)).toHaveLength(variables.length);
  });

  it('names the services that read each variable', async () => {
    const services = await schemas();
    for (const { name, comment } of variables) {
      const readers = [...services].filter(([, fields]) => name in fields).map(([service]) => service);
      expect([name, readersOf(comment, [...services.keys()])]).toEqual([name, readers]);
    }
  });

  it('shows the defaults of the schemas', async () => {
    for (const [service, fields] of await schemas())
      for (const { name, value } of variables.filter((one) => one.name in fields)) {
        const byDefault = fields[name]!.safeParse(undefined);
        const shown = value === '' ? undefined : fields[name]!.safeParse(value).data;
        // Paths of a release, empty lists and names that differ by service have no value to show.
        if (value === '' && (/_DIR$|^TEMPORAL_NAMESPACE$/.test(name) || !byDefault.success)) continue;
        expect([service, name, shown]).toEqual([service, name, byDefault.data]);
      }
  });
});
