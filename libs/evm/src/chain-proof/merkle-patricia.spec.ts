import { describe, expect, it } from '@jest/globals';
import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, hexToBytes } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { EMPTY_TRIE_ROOT, indexKey, proveListItem, readTrieProof } from './merkle-patricia.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

/** Short values produce nodes that are embedded in their parents. */
const list = fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 300 });

/** Builds the same trie with another implementation. */
async function peer(values: readonly Uint8Array[]) {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(hexToBytes(indexKey(index)), value);
  return trie;
}

const hexes = (values: readonly Uint8Array[]): Hex[] => values.map((value) => bytesToHex(value));

describe("a list's trie", () => {
  it('has the root and the proofs of another implementation, and reads its own', async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.nat(), async (values, pick) => {
        const index = pick % values.length;
        const trie = await peer(values);
        const { root, nodes } = proveListItem(hexes(values), index);
        expect(root).toBe(bytesToHex(trie.root()));
        const listed = (await createMerkleProof(trie, hexToBytes(indexKey(index)))).map((node) => bytesToHex(node));
        // The other implementation also lists nodes that are embedded in their parents; both forms decode to the same
        // values.
        expect(nodes).toEqual(listed.filter((node, at) => at === 0 || node.length >= 66));
        for (const proof of [nodes, listed])
          expect(readTrieProof(root, indexKey(index), proof)).toBe(bytesToHex(values[index]!));
      }),
      { numRuns: 60 * FUZZ_FACTOR },
    );
  });

  it('proves absence beyond its end', async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.integer({ min: 0, max: 50 }), async (values, beyond) => {
        const trie = await peer(values);
        const key = indexKey(values.length + beyond);
        const nodes = (await createMerkleProof(trie, hexToBytes(key))).map((node) => bytesToHex(node));
        expect(readTrieProof(bytesToHex(trie.root()), key, nodes)).toBeNull();
      }),
      { numRuns: 40 * FUZZ_FACTOR },
    );
  });

  it('yields no other value from an altered proof', () => {
    fc.assert(
      fc.property(list, fc.nat(), fc.nat(), fc.nat(), (values, pick, at, where) => {
        const index = pick % values.length;
        const { root, nodes } = proveListItem(hexes(values), index);
        const broken = [...nodes];
        const position = at % broken.length;
        const bytes = hexToBytes(broken[position]!);
        bytes[where % bytes.length]! ^= 1;
        broken[position] = bytesToHex(bytes);
        expect(() => readTrieProof(root, indexKey(index), broken)).toThrow('TRIE_PROOF_INVALID');
        expect(() => readTrieProof(root, indexKey(index), [...nodes, nodes[0]!])).toThrow('TRIE_PROOF_INVALID');
        expect(() => readTrieProof(root, indexKey(index), nodes.slice(0, -1))).toThrow('TRIE_PROOF_INVALID');
      }),
      { numRuns: 100 * FUZZ_FACTOR },
    );
  });

  it('recognises the empty trie', () => {
    expect(proveListItem([], 0)).toEqual({ root: EMPTY_TRIE_ROOT, nodes: [] });
    expect(readTrieProof(EMPTY_TRIE_ROOT, indexKey(0), [])).toBeNull();
  });
});
