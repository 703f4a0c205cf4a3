/** A request that the wallet did not answer with a result. */
export interface WalletFailure {
  /** Whether the visitor declined it. */
  readonly isRejection: boolean;
  /** A sentence with the remedy. */
  readonly message: string;
}

/** Codes of EIP-1193 and EIP-1474. */
const SENTENCES: Readonly<Record<number, string>> = {
  4001: 'You declined the request in the wallet.',
  4100: 'The wallet has not given this site access to the account. Connect the wallet again.',
  4200: 'The wallet does not support this request. Use another wallet.',
  4900: 'The wallet is disconnected from every network. Check its connection.',
  4901: 'The wallet is disconnected from chain 4663. Check its network settings.',
  4902: 'The wallet does not know chain 4663. Add the chain in the wallet.',
  [-32002]: 'The wallet already shows a request. Open the wallet and answer it.',
};
const REJECTED = 4001;

/** Says why a wallet gave no result. Wallets wrap the error of their node, so the first code of EIP-1193 in the chain of causes counts. */
export function walletFailure(error: unknown): WalletFailure {
  for (const one of causesOf(error)) {
    const sentence = one.code === undefined ? undefined : SENTENCES[one.code];
    if (sentence !== undefined) return { isRejection: one.code === REJECTED, message: sentence };
  }
  const [first] = causesOf(error);
  const said = first?.message?.split('\n')[0] ?? '';
  return {
    isRejection: false,
    message: said === '' ? 'The wallet gave no reason for its failure.' : `The wallet failed: ${said}`,
  };
}

interface Cause {
  readonly code?: number;
  readonly message?: string;
  readonly cause?: unknown;
}
const DEEPEST = 8;

function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && causes.length < DEEPEST) {
    causes.push(next as Cause);
    next = (next as Cause).cause;
  }
  return causes;
}
