import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, bytesToHex, hexToBytes, setLengthLeft, type Address } from '@ethereumjs/util';
import { keccak256, type Hex } from 'viem';
import { ask, rpcData, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';

const WORD = 32;

/**
 * The chain's state at one block, read through one observer as the execution asks for it
 * and changed only here. What was read once is kept, so that every read is one request.
 */
export class ObservedState extends SimpleStateManager {
  /** Balances as they were on chain, of every account that was touched. */
  readonly originalBalances = new Map<string, bigint>();
  readonly #codes = new Map<string, Promise<Uint8Array>>();
  readonly #words = new Map<string, Promise<Uint8Array>>();
  readonly #accounts = new Map<string, Promise<Account | undefined>>();

  constructor(
    private readonly observer: RpcObserver,
    private readonly blockNumber: bigint,
  ) {
    super();
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString();
    if (this.topAccountStack().has(key)) return super.getAccount(address);
    const found = this.#accounts.get(key) ?? this.#readAccount(address);
    this.#accounts.set(key, found);
    const account = await found;
    if (!this.topAccountStack().has(key)) this.topAccountStack().set(key, account === undefined ? undefined : copyOf(account));
    return super.getAccount(address);
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    return this.topCodeStack().has(key) ? super.getCode(address) : this.#readCode(address);
  }

  override async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const key = `${address.toString()}_${bytesToHex(slot)}`;
    if (this.topStorageStack().has(key)) return super.getStorage(address, slot);
    const found = this.#words.get(key) ?? this.#readWord(address, slot);
    this.#words.set(key, found);
    return found;
  }

  async #readAccount(address: Address): Promise<Account | undefined> {
    const at = [address.toString(), quantity(this.blockNumber)];
    const [balance, nonce, code] = await Promise.all([
      ask(this.observer, 'eth_getBalance', at, rpcQuantity),
      ask(this.observer, 'eth_getTransactionCount', at, rpcQuantity),
      this.#readCode(address),
    ]);
    this.originalBalances.set(address.toString(), balance);
    if (balance === 0n && nonce === 0n && code.length === 0) return undefined;
    return new Account(nonce, balance, undefined, hexToBytes(keccak256(code)));
  }

  #readCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    const read = ask(this.observer, 'eth_getCode', [key, quantity(this.blockNumber)], rpcData).then((hex) => hexToBytes(hex));
    this.#codes.set(key, read);
    return read;
  }

  async #readWord(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const word = bytesToHex(setLengthLeft(slot, WORD)) as Hex;
    const value = await ask(this.observer, 'eth_getStorageAt', [address.toString(), word, quantity(this.blockNumber)], rpcData);
    return stripZeros(hexToBytes(value));
  }
}

const copyOf = (account: Account): Account => new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);

/** Storage words as the interpreter keeps them: without leading zeros, nothing for zero. */
function stripZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array(0) : bytes.subarray(first);
}
