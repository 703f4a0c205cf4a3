import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalizeJson } from '@launch/contracts/json';
import { contextSchema, DERIVED_CONTRACT_FINALITY_V3 } from '@launch/contracts/multi-role';
import type { E2eStack } from './own-stack.js';

/** Publishes the stack's context with the V3 finality policy: custody first, then the finality worker, the gateway last. */
export async function publishContextV3(stack: E2eStack, finalityEnv: Record<string, string> = {}): Promise<void> {
  const context = contextSchema.parse(JSON.parse(await readFile(path.join(stack.dir, 'context.json'), 'utf8')));
  const profile = { ...context.profile, derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 };
  const LAUNCH_CONTEXT_FILE = path.join(stack.dir, 'context-v3.json');
  await writeFile(LAUNCH_CONTEXT_FILE, canonicalizeJson({ ...context, profile }));
  await stack.restart('permit-custody', { LAUNCH_CONTEXT_FILE });
  await stack.restart('finality-worker', { LAUNCH_CONTEXT_FILE, ...finalityEnv });
  await stack.restart('api-gateway', { LAUNCH_CONTEXT_FILE });
}
