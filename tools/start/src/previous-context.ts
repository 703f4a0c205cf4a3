import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJsonText, parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import type { AnyLaunchContext } from '@launch/contracts/launch';
import { canonicalKeccak, LIMITS } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { writePrivate } from './data-folder.js';

/** Services read no more of them. */
const MOST_FILED = 16;

/**
 * Files the context of the start before, as an operator does at a release. So launches that were under admission when the
 * source changed are admitted all the same, and open hand-offs and plans go on. A context is kept for as long as a permit
 * window of its requests may last. One of another router or policy is not filed, since custody would not start with it.
 * @param before what the start before published; undefined when its chains are gone.
 * @param schema the form of contexts of this family.
 */
export async function filePreviousContext<Context extends AnyLaunchContext>(
  folder: string,
  before: string | undefined,
  current: Context,
  schema: z.ZodType<Context>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const previous = before === undefined ? undefined : contextOf(before, schema);
  if (previous !== undefined && canonicalKeccak(previous) === canonicalKeccak(current)) return;
  const goOn = previous !== undefined && ruleOf(previous) === ruleOf(current);
  const kept = goOn ? await recentlyFiled(folder, canonicalKeccak(current)) : [];
  for (const name of await readdir(folder))
    if (!kept.includes(name)) await rm(path.join(folder, name), { force: true });
  if (goOn) await writePrivate(path.join(folder, fileOf(canonicalKeccak(previous))), canonicalJsonText(previous));
}

const fileOf = (contextHash: string): string => `${contextHash}.json`;

/** Those that a request may still be open under, newest first. All of them were filed beside contexts of one rule. */
async function recentlyFiled(folder: string, currentHash: string): Promise<readonly string[]> {
  const since = Date.now() - LIMITS.permitWindowSeconds * 1_000;
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, filedAt: (await stat(path.join(folder, name))).mtimeMs })),
  );
  return files
    .filter(({ name, filedAt }) => name !== fileOf(currentHash) && filedAt >= since)
    .sort((a, b) => b.filedAt - a.filedAt)
    .slice(0, MOST_FILED - 1)
    .map(({ name }) => name);
}

/** Returns the parts that two contexts must share for one custody. */
const ruleOf = ({ chainBindings, chainDeployment, profile }: AnyLaunchContext): string =>
  canonicalJsonText([
    { ...chainDeployment.router },
    profile.instructionPolicy.policyHash,
    [...chainBindings.permitAuthorities],
  ]);

function contextOf<Context>(text: string, schema: z.ZodType<Context>): Context | undefined {
  try {
    return schema.safeParse(parseStrictJson(new TextEncoder().encode(text))).data;
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}
