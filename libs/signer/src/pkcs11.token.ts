import { SignerError } from './signer.errors.js';

/** Returns the value of a line `name : value` of a slot. */
function fieldOf(slot: readonly string[], name: string): string | undefined {
  for (const line of slot) {
    const colon = line.indexOf(':');
    if (colon !== -1 && line.slice(0, colon).trim() === name) return line.slice(colon + 1).trim();
  }
  return undefined;
}

/**
 * Checks that a login may be tried, from the list of slots by `pkcs11-tool --list-token-slots`, which needs no PIN.
 * @throws SignerError if the token is absent, if two have its label, or if its PIN is locked or would be after one more
 * refusal.
 */
export function requireUsableToken(slots: string, label: string): void {
  const tokens = slots
    .split('\nSlot ')
    .map((slot) => slot.split('\n'))
    .filter((slot) => fieldOf(slot, 'token label') === label);
  if (tokens.length === 0) throw new SignerError('SIGNER_UNAVAILABLE', 'token absent');
  if (tokens.length > 1) throw new SignerError('SIGNER_REFUSED', 'token ambiguous');
  const flags = (fieldOf(tokens[0] ?? [], 'token flags') ?? '').split(',').map((flag) => flag.trim());
  if (flags.includes('user PIN locked')) throw new SignerError('SIGNER_REFUSED', 'PIN locked');
  if (flags.includes('final user PIN try')) throw new SignerError('SIGNER_REFUSED', 'PIN has one try left');
}
