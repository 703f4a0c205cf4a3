import { describe, expect, it } from '@jest/globals';
import { createMerkleProof, createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, hexToBytes, keccak256 } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { EMPTY_TRIE_ROOT, indexKey, proveListItem, readTrieProof } from './merkle-patricia.js';
import { encodeRlp, rlpInteger, type RlpItem } from './rlp.js';
import { readAccountProof, readStorageProof } from './state-proof.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const address = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`;
const CODE_HASH = keccak256('0x6000');
const account = (storageRoot: Hex, codeHash: Hex = CODE_HASH): RlpItem => [
  rlpInteger(1n),
  rlpInteger(5n),
  storageRoot,
  codeHash,
];

/** Builds state with another implementation: a trie over the keccak-256 of each key. */
async function trieOf(entries: readonly (readonly [Hex, RlpItem])[]): Promise<MerklePatriciaTrie> {
  const trie = await createMPT();
  for (const [key, value] of entries) await trie.put(hexToBytes(keccak256(key)), hexToBytes(encodeRlp(value)));
  return trie;
}
const rootOf = (trie: MerklePatriciaTrie): Hex => bytesToHex(trie.root());
const proofOf = async (trie: MerklePatriciaTrie, key: Hex): Promise<Hex[]> =>
  (await createMerkleProof(trie, hexToBytes(keccak256(key)))).map((node) => bytesToHex(node));

describe('state', () => {
  it('is read from the proofs of another implementation, for presence and for absence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { minLength: 1, maxLength: 60 }),
        fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
        async (slots, value) => {
          const storage = await trieOf(
            slots.map((slot, index) => [word(slot), rlpInteger(((value + BigInt(index)) % (2n ** 256n - 1n)) + 1n)]),
          );
          const state = await trieOf(slots.map((_slot, index) => [address(index), account(rootOf(storage))]));
          for (const [index, slot] of slots.slice(0, 5).entries()) {
            const proven = readAccountProof(rootOf(state), address(index), await proofOf(state, address(index)));
            expect(proven).toEqual({ storageRoot: rootOf(storage), codeHash: CODE_HASH });
            expect(readStorageProof(rootOf(storage), word(slot), await proofOf(storage, word(slot)))).toBe(
              word(((value + BigInt(index)) % (2n ** 256n - 1n)) + 1n),
            );
          }
          const absent = address(slots.length);
          expect(readAccountProof(rootOf(state), absent, await proofOf(state, absent))).toBeNull();
          const unwritten = word(slots.reduce((sum, slot) => (sum + slot + 1n) % 2n ** 256n, 1n));
          if (!slots.includes(BigInt(unwritten)))
            expect(readStorageProof(rootOf(storage), unwritten, await proofOf(storage, unwritten))).toBe(word(0n));
        },
      ),
      { verbose: 1, numRuns: 15 * FUZZ_FACTOR },
    );
  });

  it('The storage of an account without storage is zero everywhere.', () =>
    expect(readStorageProof(EMPTY_TRIE_ROOT, word(7n), [])).toBe(word(0n)));

  it('is not read from a proof of another account, of another root, or of absence alone', async () => {
    const state = await trieOf([1, 2, 3, 4].map((index) => [address(index), account(EMPTY_TRIE_ROOT)]));
    const other = await trieOf([
      [address(1), account(EMPTY_TRIE_ROOT, keccak256('0x'))],
      [address(9), account(EMPTY_TRIE_ROOT)],
    ]);
    const own = await proofOf(state, address(1));
    expect(() => readAccountProof(rootOf(other), address(1), own)).toThrow('TRIE_PROOF_INVALID');
    for (const foreign of [2, 3, 4, 5]) {
      const nodes = await proofOf(state, address(foreign));
      // Nodes that two paths share prove nothing about the second path.
      expect(() => readAccountProof(rootOf(state), address(1), nodes)).toThrow('TRIE_PROOF_INVALID');
    }
    expect(() => readAccountProof(rootOf(state), address(1), [])).toThrow('TRIE_PROOF_INVALID');
    expect(() => readAccountProof('0x', address(1), [])).toThrow('TRIE_PROOF_INVALID');
  });

  it.each<[string, RlpItem]>([
    ['three fields', ['0x', '0x', EMPTY_TRIE_ROOT]],
    ['five fields', ['0x', '0x', EMPTY_TRIE_ROOT, CODE_HASH, '0x']],
    ['a short code hash', ['0x', '0x', EMPTY_TRIE_ROOT, '0x12']],
    ['a list for a root', ['0x', '0x', [EMPTY_TRIE_ROOT], CODE_HASH]],
    ['text', CODE_HASH],
  ])('is refused as an account of %s', async (_title, value) => {
    const state = await trieOf([[address(1), value]]);
    expect(() => readAccountProof(rootOf(state), address(1), [encodeLeaf(value, address(1))])).toThrow(
      'CHAIN_DATA_INVALID',
    );
  });

  it.each<[string, RlpItem]>([
    ['a word with leading zeros', '0x0001'],
    ['more than a word', `0x01${'00'.repeat(32)}`],
    ['a list', []],
  ])('is refused as storage of %s', async (_title, value) => {
    const storage = await trieOf([[word(1n), value]]);
    expect(() => readStorageProof(rootOf(storage), word(1n), [encodeLeaf(value, word(1n))])).toThrow(
      'CHAIN_DATA_INVALID',
    );
  });

  /** Encodes a trie of one leaf by hand. */
  function encodeLeaf(value: RlpItem, key: Hex): Hex {
    return encodeRlp([`0x20${keccak256(key).slice(2)}`, encodeRlp(value)]);
  }
});

describe('hostile nodes under a root that names them', () => {
  const key = indexKey(5);
  const root = (node: Hex): Hex => keccak256(node);
  /** Reads a hostile node, which is found by its hash like any other. */
  const read = (node: RlpItem, ...more: Hex[]): unknown => {
    const rlp = encodeRlp(node);
    try {
      return readTrieProof(root(rlp), key, [rlp, ...more]);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const empty = Array<Hex>(16).fill('0x');
  const inBranch = (nibble: number, node: RlpItem): RlpItem => [
    ...empty.map((item, index) => (index === nibble ? node : item)),
    '0x',
  ];

  it.each<[string, RlpItem, unknown]>([
    ['a leaf of the key', ['0x2005', '0x1234'], '0x1234'],
    ['a leaf of another key', ['0x2006', '0x1234'], null],
    ["a leaf of the key's beginning", ['0x30', '0x1234'], null],
    ['a leaf beyond the key', ['0x20050000', '0x1234'], null],
    ['a leaf without a value', ['0x2005', '0x'], null],
    ['a leaf with a list for a value', ['0x2005', ['0x12']], 'TRIE_PROOF_INVALID'],
    ['a path of an unknown kind', ['0x4005', '0x1234'], 'TRIE_PROOF_INVALID'],
    ['a path with dirty padding', ['0x2105', '0x1234'], 'TRIE_PROOF_INVALID'],
    ['an empty path', ['0x', '0x1234'], 'TRIE_PROOF_INVALID'],
    ['a list for a path', [['0x2005'], '0x1234'], 'TRIE_PROOF_INVALID'],
    ['a leaf inside a branch', inBranch(0, ['0x35', '0x1234']), '0x1234'],
    ['a branch inside a branch', inBranch(0, inBranch(5, ['0x20', '0x1234'])), '0x1234'],
    ['a value where another key ends', [...empty, '0x1234'], null],
    ['an extension to the leaf', ['0x10', ['0x35', '0x1234']], '0x1234'],
    ['an extension to elsewhere', ['0x16', ['0x35', '0x1234']], null],
    ['an extension to nothing', ['0x10', '0x'], null],
    ['an extension to an invalid hash', ['0x10', '0x1234'], 'TRIE_PROOF_INVALID'],
    ['three items', ['0x2005', '0x12', '0x12'], 'TRIE_PROOF_INVALID'],
    ['no items', [], 'TRIE_PROOF_INVALID'],
    ['sixteen items', empty, 'TRIE_PROOF_INVALID'],
    ['text', '0x1234', 'TRIE_PROOF_INVALID'],
  ])('give one answer or one code for %s', (_title, node, expected) => expect(read(node)).toBe(expected));

  it('yield no value if a node refers to itself or to an absent node', () => {
    const leaf = encodeRlp(['0x35', `0x${'12'.repeat(40)}`]);
    const through = encodeRlp(['0x10', keccak256(leaf)]);
    expect(readTrieProof(root(through), key, [through, leaf])).toBe(`0x${'12'.repeat(40)}`);
    for (const nodes of [
      [through],
      [through, through],
      [through, through, leaf],
      [leaf, through],
      [through, leaf, leaf],
    ]) {
      expect(() => readTrieProof(root(through), key, nodes)).toThrow('TRIE_PROOF_INVALID');
    }
  });

  it('are refused if they are not RLP, although their hash is right', () => {
    for (const node of ['0x', '0xc2', '0xf80180', '0x8101'] as Hex[])
      expect(() => readTrieProof(root(node), key, [node])).toThrow('TRIE_PROOF_INVALID');
  });

  it('do not prove that an item beyond the list is in it', () => {
    const { root: listRoot, nodes } = proveListItem(['0x12', '0x34', '0x56'], 3);
    expect(readTrieProof(listRoot, indexKey(3), nodes)).toBeNull();
    expect(readTrieProof(EMPTY_TRIE_ROOT, indexKey(0), [])).toBeNull();
    expect(() => readTrieProof(EMPTY_TRIE_ROOT, indexKey(0), ['0x80', '0x80'])).toThrow('TRIE_PROOF_INVALID');
  });
});
