import { hexToBytes } from 'viem/utils';
import { authorityOfSpki, authoritySignature } from './authority-signature.js';
import { guardedSigner, type PermitSigner } from './permit.signer.js';
import { requireUsableToken } from './pkcs11.token.js';
import { createPkcs11Tool, type ToolCall } from './pkcs11.tool.js';
import { SignerError } from './signer.errors.js';
import { createTurns } from './turns.js';

export interface Pkcs11SignerOptions {
  /** Absolute path of OpenSC's `pkcs11-tool`. */
  readonly tool: string;
  /** Absolute path of the vendor's PKCS#11 library. */
  readonly module: string;
  readonly tokenLabel: string;
  /** `CKA_ID` of the key pair, in hex. `pkcs11-tool` selects signing keys by id alone. */
  readonly keyId: string;
  readonly pin: string;
  /** The variables that the module needs, such as the path of its configuration; none by default. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Bounds one signature with its wait for a turn, in milliseconds; default 8,000. */
  readonly timeoutMs?: number;
}

/** Below the 20 seconds of the activity that signs, with time left to store the signature. */
const DEFAULT_TIMEOUT_MS = 8_000;
/** Below the 4 seconds that a readiness probe waits. */
const CHECK_TIMEOUT_MS = 3_000;
const MAX_SIGNATURE_BYTES = 256;
const MAX_PUBLIC_KEY_BYTES = 1_024;
const MAX_LIST_BYTES = 256 * 1024;
const SIGNATURE_BYTES = 64;
/** Without control characters: a line break belongs to the file, and an environment cannot carry a zero byte. */
const PIN_FORM = /^\P{Cc}{1,255}$/u;

/**
 * Creates the signer of a key behind PKCS#11: a hardware module, or SoftHSM. `pkcs11-tool` loads the vendor's library in
 * a process of its own for each signature, so this process contains no native code. Throws SignerError.
 *
 * Tokens lock after a few wrong PINs. Neither the start nor `check` presents it. Signatures present it one after
 * another, and never again in this process once the token refused it.
 */
export async function createPkcs11Signer(options: Pkcs11SignerOptions): Promise<PermitSigner> {
  const { module, tokenLabel, keyId, pin, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!PIN_FORM.test(pin)) throw new SignerError('SIGNER_PIN_INVALID');
  const tool = createPkcs11Tool(options.tool, options.environment ?? {});
  const inTurn = createTurns(() => tool.idle());
  let refusal: string | undefined;
  /** Whether the last login succeeded, so that the token counts no refusals. */
  let isPinProven = false;

  const run = async (call: ToolCall): Promise<Buffer> => {
    const result = await tool.run({ ...call, args: [`--module=${module}`, ...call.args] });
    if (result.kind === 'done') return result.stdout;
    if (result.isPinRefused) refusal = result.reason;
    throw new SignerError(result.code, result.reason);
  };
  const bounded = <T>(limitMs: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(limitMs);
    return inTurn(
      signal,
      () => task(signal),
      () => new SignerError('SIGNER_UNAVAILABLE', 'token busy'),
    );
  };
  const ofKey = [`--token-label=${tokenLabel}`, `--id=${keyId}`];
  const requirePinTries = async (signal: AbortSignal): Promise<void> => {
    if (refusal !== undefined) throw new SignerError('SIGNER_REFUSED', refusal);
    const slots = await run({ args: ['--list-token-slots'], maxBytes: MAX_LIST_BYTES, signal });
    requireUsableToken(slots.toString('utf8'), tokenLabel);
  };
  const readAuthority = async (signal: AbortSignal) =>
    authorityOfSpki(
      await run({ args: [...ofKey, '--read-object', '--type=pubkey'], maxBytes: MAX_PUBLIC_KEY_BYTES, signal }),
    );

  const authority = await bounded(timeoutMs, readAuthority);
  let checking: Promise<void> | undefined;

  return guardedSigner(authority, {
    sign: ({ digest }) =>
      bounded(timeoutMs, async (signal) => {
        if (refusal !== undefined || !isPinProven) await requirePinTries(signal);
        isPinProven = false;
        const signature = await run({
          args: [...ofKey, '--sign', '--mechanism=ECDSA', '--signature-format=rs'],
          input: hexToBytes(digest),
          pin,
          maxBytes: MAX_SIGNATURE_BYTES,
          signal,
        });
        isPinProven = true;
        if (signature.byteLength !== SIGNATURE_BYTES) throw new SignerError('SIGNER_SIGNATURE_WRONG');
        return authoritySignature(authority, digest, signature, 'compact');
      }),
    check() {
      checking ??= bounded(Math.min(CHECK_TIMEOUT_MS, timeoutMs), async (signal) => {
        await requirePinTries(signal);
        if ((await readAuthority(signal)) !== authority) throw new SignerError('SIGNER_REFUSED', 'other key');
      }).finally(() => (checking = undefined));
      return checking;
    },
  });
}
