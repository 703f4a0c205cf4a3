import type { SentTransaction } from './wallet-flow.js';

/**
 * Remembers the transaction that this tab sent, so that a reload goes on following it. The entry has the launch, the step and the hash,
 * which are public on chain; a key is never stored.
 */
const keyOf = (id: string): string => `launch-sent:${id}`;

export function remember(storage: Storage, sent: SentTransaction): void {
  storage.setItem(keyOf(sent.id), JSON.stringify({ stepId: sent.stepId, hash: sent.hash }));
}

export function forget(storage: Storage, id: string): void {
  storage.removeItem(keyOf(id));
}

/** Returns the remembered transaction of a launch; null without one, and for an entry in another form. */
export function recall(storage: Storage, id: string): SentTransaction | null {
  const text = storage.getItem(keyOf(id));
  if (text === null) return null;
  const entry = parsed(text);
  const { stepId, hash } = (entry ?? {}) as { readonly stepId?: unknown; readonly hash?: unknown };
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/.test(hash)) return null;
  if (stepId !== null && typeof stepId !== 'string') return null;
  return { id, stepId, hash: hash as `0x${string}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
