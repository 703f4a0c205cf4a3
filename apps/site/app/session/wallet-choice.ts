/** The members of a wagmi connector by which a visitor recognizes a wallet. */
export interface NamedWallet {
  readonly uid: string;
  /** The reverse domain name of an announced wallet; `injected` for the one at `window.ethereum`. */
  readonly id: string;
  readonly name: string;
}

/** A wallet in the list of wallets. */
export interface WalletChoice {
  readonly uid: string;
  readonly name: string;
  /** Tells wallets of one name apart: the reverse domain name that the wallet announced. */
  readonly origin: string;
  /** The position among wallets of the same name and origin; null where no other has both. */
  readonly position: number | null;
}

const UNANNOUNCED = 'injected';

/**
 * Returns the wallets to offer. Names are the wallets' own claims: two wallets can claim one name, and even one reverse domain name.
 * @param hasUnannounced whether `window.ethereum` exists. Announced wallets usually are there too, so it is offered only alone.
 */
export function walletChoices(wallets: readonly NamedWallet[], hasUnannounced: boolean): readonly WalletChoice[] {
  const announced = wallets.filter(({ id }) => id !== UNANNOUNCED);
  const offered = announced.length > 0 ? announced : hasUnannounced ? wallets : [];
  const isAlike = (one: NamedWallet, other: NamedWallet): boolean => one.name === other.name && one.id === other.id;
  return offered.map((wallet) => {
    const alike = offered.filter((other) => isAlike(wallet, other));
    return {
      uid: wallet.uid,
      name: wallet.id === UNANNOUNCED ? 'Browser wallet' : wallet.name,
      origin: wallet.id === UNANNOUNCED ? 'window.ethereum' : wallet.id,
      position: alike.length > 1 ? alike.indexOf(wallet) + 1 : null,
    };
  });
}
