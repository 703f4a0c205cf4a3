import { Gauge, type Registry } from '@launch/platform';
import type { AnswerSigner } from './answer-signer.js';

/** Reports the key that a process signs its answers with; nothing where it signs none. */
export function reportAnswerKey(registry: Registry, { keys }: Pick<AnswerSigner, 'keys'>): void {
  const info = new Gauge({
    name: 'launch_answer_key_info',
    help: 'Key that the process signs feeds with, by its thumbprint.',
    labelNames: ['kid'],
    registers: [registry],
  });
  const [current] = keys ?? [];
  if (current !== undefined) info.set({ kid: current.kid }, 1);
}
