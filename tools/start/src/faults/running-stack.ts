import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stackSchema, type Stack } from '../stack.schema.js';

/** States why no fault can be provoked. */
export class NoFaultControl extends Error {}

/** A stack whose chains have a fault control. */
export type ControlledStack = Stack & { readonly faults: string };

/** Reads the description of the stack that runs in a data folder. @throws NoFaultControl */
export async function runningStack(dataDir: string): Promise<ControlledStack> {
  const file = path.join(dataDir, 'stack.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new NoFaultControl(
      `No stack runs in ${dataDir}. Start one with \`npm start\`, or name the folder of another in LAUNCH_DATA_DIR.`,
    );
  });
  const stack = stackSchema.parse(JSON.parse(text));
  const { faults } = stack;
  if (faults === null)
    throw new NoFaultControl(`The stack in ${dataDir} uses chains of your own, which have no fault control.`);
  return { ...stack, faults };
}
