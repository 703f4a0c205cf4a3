import { keccak256Hex } from '@launch/contracts/primitives';

/** Returns the address that CREATE gives to the contract that an account makes at a nonce. A contract's nonces begin at 1. */
export function createdAddress(parent: string, nonce: number): string {
  const hex = nonce.toString(16);
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  // RLP: a number below 0x80 is its own byte, and a longer text begins with its length.
  const encoded = nonce < 0x80 ? digits : `${(0x80 + digits.length / 2).toString(16)}${digits}`;
  const items = `94${parent.slice(2)}${encoded}`;
  const list = `${(0xc0 + items.length / 2).toString(16)}${items}`;
  return `0x${keccak256Hex(Uint8Array.from(list.match(/../g)!, (byte) => Number.parseInt(byte, 16))).slice(-40)}`;
}
