import { EvmError } from '../evm.error.js';
import { isHex, type Hex } from '../encoding/hex.js';
import { rlpInteger } from './rlp.js';

/** Reads an object of a JSON-RPC response field by field. Errors name the field at fault, never its value. */
export class RpcFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws {EvmError} `CHAIN_DATA_INVALID` for a value that is not an object. */
  constructor(
    answer: unknown,
    private readonly where: string,
  ) {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      throw new EvmError('CHAIN_DATA_INVALID', where);
    this.#fields = answer as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  /** Returns bytes, of exactly this length if given. */
  bytes(name: string, length?: number): Hex {
    const value = this.#fields[name];
    if (typeof value !== 'string' || !isHex(value, length)) throw this.invalid(name);
    return value.toLowerCase() as Hex;
  }

  /** Returns an address, or empty bytes if there is no receiver. */
  addressOrNone(name: string): Hex {
    return this.has(name) ? this.bytes(name, 20) : '0x';
  }

  /** Returns an integer in the form of RLP: big-endian without leading zeros. */
  integer(name: string): Hex {
    return rlpInteger(this.quantity(name));
  }

  quantity(name: string): bigint {
    const value = this.#fields[name];
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) throw this.invalid(name);
    return BigInt(value);
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields[name];
    if (!Array.isArray(value)) throw this.invalid(name);
    return value;
  }

  invalid(name: string): EvmError {
    return new EvmError('CHAIN_DATA_INVALID', `${this.where}.${name}`);
  }
}
