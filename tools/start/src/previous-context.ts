import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { canonicalKeccak, type AnyLaunchContext } from '@launch/contracts';
import { canonicalJsonText, parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import type { z } from 'zod';
import { writePrivate } from './data-folder.js';

/**
 * Files the context of the start before for custody, as an operator does at a release. So a launch that was under
 * admission when the source changed is admitted all the same. One of another router or policy is not, since custody
 * would not start with it.
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
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { force: true });
  if (previous === undefined || ruleOf(previous) !== ruleOf(current)) return;
  await writePrivate(path.join(folder, `${canonicalKeccak(previous)}.json`), canonicalJsonText(previous));
}

/** What two contexts must share for one custody. */
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
