import { SimpleStateManager } from '@ethereumjs/statemanager';
import {
  Account,
  bytesToHex,
  createAddressFromString,
  hexToBytes,
  setLengthLeft,
  type Address,
} from '@ethereumjs/util';
import { keccak256 } from 'viem';
import type { StateOverrides } from '../reads/eth-call.js';
import type { StateReads } from './state.reads.js';

const WORD = 32;
/**
 * The chain's state at one block. It reads from one observer on demand and applies changes only here. It caches each
 * answer, so that every read is one request; overridden state is not read.
 */
export class ObservedState extends SimpleStateManager {
  /** On-chain or overridden balances of every touched account. */
  readonly originalBalances = new Map<string, bigint>();
  readonly #codes = new Map<string, Promise<Uint8Array>>();
  readonly #words = new Map<string, Promise<Uint8Array>>();
  readonly #accounts = new Map<string, Promise<Account | undefined>>();

  constructor(
    private readonly reads: StateReads,
    private readonly overrides: StateOverrides = {},
  ) {
    super();
  }

  /** Returns the current balances of the same accounts. */
  async touchedBalances(): Promise<ReadonlyMap<string, bigint>> {
    const balances = new Map<string, bigint>();
    for (const address of this.originalBalances.keys())
      balances.set(address, (await this.getAccount(createAddressFromString(address)))?.balance ?? 0n);
    return balances;
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString();
    if (this.topAccountStack().has(key)) return super.getAccount(address);
    const found = this.#accounts.get(key) ?? this.#readAccount(address);
    this.#accounts.set(key, found);
    const account = await found;
    if (!this.topAccountStack().has(key))
      this.topAccountStack().set(key, account === undefined ? undefined : copyOf(account));
    return super.getAccount(address);
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    return this.topCodeStack().has(key) ? super.getCode(address) : this.#readCode(key);
  }

  override async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const key = `${address.toString()}_${bytesToHex(slot)}`;
    if (this.topStorageStack().has(key)) return super.getStorage(address, slot);
    const found = this.#words.get(key) ?? this.#readWord(address.toString(), slot);
    this.#words.set(key, found);
    return found;
  }

  async #readAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString();
    const [balance, nonce, code] = await Promise.all([
      this.overrides[key]?.balance ?? this.reads.read('eth_getBalance', [key]),
      this.reads.read('eth_getTransactionCount', [key]),
      this.#readCode(key),
    ]);
    this.originalBalances.set(key, balance);
    if (balance === 0n && nonce === 0n && code.length === 0) return undefined;
    return new Account(nonce, balance, undefined, hexToBytes(keccak256(code)));
  }

  #readCode(address: string): Promise<Uint8Array> {
    const known = this.#codes.get(address);
    if (known !== undefined) return known;
    const overridden = this.overrides[address]?.code;
    const read =
      overridden === undefined
        ? this.reads.read('eth_getCode', [address]).then((hex) => hexToBytes(hex))
        : Promise.resolve(hexToBytes(overridden));
    this.#codes.set(address, read);
    return read;
  }

  async #readWord(address: string, slot: Uint8Array): Promise<Uint8Array> {
    const word = bytesToHex(setLengthLeft(slot, WORD));
    return stripZeros(
      hexToBytes(
        this.overrides[address]?.stateDiff?.[word] ?? (await this.reads.read('eth_getStorageAt', [address, word])),
      ),
    );
  }
}

const copyOf = (account: Account): Account =>
  new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);

/** Strips leading zeros, as the interpreter stores words; a zero word becomes empty. */
function stripZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array(0) : bytes.subarray(first);
}
