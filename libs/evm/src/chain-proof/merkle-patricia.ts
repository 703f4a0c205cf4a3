import { hexToBytes, keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { isHex, type Hex } from '../encoding/hex.js';
import { decodeRlp, encodeRlp, rlpInteger, type RlpItem } from './rlp.js';

/** A node's items. An item is itself a node if that node is short enough to be embedded in its parent. */
type Item = RlpItem;

/** The root of a trie without entries. */
export const EMPTY_TRIE_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

interface Entry {
  readonly path: string;
  readonly value: Hex;
}

/** Returns the key of an index in the tries of a block's receipts and transactions: the RLP of the index. */
export const indexKey = (index: number): Hex => encodeRlp(rlpInteger(BigInt(index)));

/** Returns the root of the list's trie and the nodes that prove the value at `index`. Empty lists prove nothing. */
export function proveListItem(
  values: readonly Hex[],
  index: number,
): { readonly root: Hex; readonly nodes: readonly Hex[] } {
  const entries = values.map((value, at): Entry => ({ path: indexKey(at).slice(2), value }));
  if (entries.length === 0) return { root: EMPTY_TRIE_ROOT, nodes: [] };
  const nodes: Hex[] = [];
  const root = encodeRlp(nodeOf(entries, 0, indexKey(index).slice(2), nodes));
  return { root: keccak256(root), nodes: [root, ...nodes.reverse()] };
}

/**
 * Builds the node over entries that share their first `depth` nibbles. Keeps the nodes on the path to `wanted`, deepest
 * first.
 */
function nodeOf(entries: readonly Entry[], depth: number, wanted: string | null, kept: Hex[]): Item {
  const [first] = entries as [Entry, ...Entry[]];
  if (entries.length === 1) return [compact(first.path.slice(depth), true), first.value];
  let shared = depth;
  while (entries.every(({ path }) => path.length > shared && path[shared] === first.path[shared])) shared += 1;
  const own = wanted !== null && wanted.startsWith(first.path.slice(0, shared)) ? wanted : null;
  if (shared > depth)
    return [
      compact(first.path.slice(depth, shared), false),
      reference(nodeOf(entries, shared, own, kept), own !== null, kept),
    ];
  const children = [...'0123456789abcdef'].map((nibble): Item => {
    const below = entries.filter(({ path }) => path[depth] === nibble);
    if (below.length === 0) return '0x';
    const onTheWay = own !== null && own[depth] === nibble;
    return reference(nodeOf(below, depth + 1, onTheWay ? own : null, kept), onTheWay, kept);
  });
  return [...children, entries.find(({ path }) => path.length === depth)?.value ?? '0x'];
}

/** References a node: by its hash from 32 bytes on; shorter nodes are embedded in their parent. */
function reference(node: Item, keep: boolean, kept: Hex[]): Item {
  const rlp = encodeRlp(node);
  if (rlp.length - 2 < 64) return node;
  if (keep) kept.push(rlp);
  return keccak256(rlp);
}

/** Encodes nibbles with the hex prefix, which records whether the node is a leaf and whether the count is odd. */
function compact(nibbles: string, leaf: boolean): Hex {
  const flag = (leaf ? 2 : 0) + (nibbles.length % 2);
  return `0x${flag.toString(16)}${nibbles.length % 2 === 0 ? '0' : ''}${nibbles}`;
}

/**
 * Follows a proof from a root to the value under a key. Returns null if the proof shows that there is no value. Every
 * node is found by its hash or embedded in a node that is, so only the true value can result. Refuses a proof with an
 * unused node.
 * @param key Bytes of the key: `indexKey` for a block's lists, the keccak-256 of address or slot for state.
 * @throws {EvmError} `TRIE_PROOF_INVALID`
 */
export function readTrieProof(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | null {
  if (!isHex(root, 32)) throw invalid('a root of no kind');
  if (root === EMPTY_TRIE_ROOT && nodes.length === 0) return null;
  let path = key.slice(2);
  let used = 0;
  let node: Item = root;
  const finish = (value: Hex | null): Hex | null => {
    if (used !== nodes.length) throw invalid('a node too many');
    return value;
  };
  for (;;) {
    if (typeof node === 'string') {
      if (node === '0x') return finish(null);
      node = nodeByHash(node, nodes[used]);
      used += 1;
    } else if (nodes[used] === encodeRlp(node)) {
      // Some clients also list a node that is embedded in its parent.
      used += 1;
    }
    const items: readonly Item[] = node;
    if (items.length === 17) {
      if (path === '') return finish(valueOf(items[16]));
      node = items[Number.parseInt(path[0]!, 16)]!;
      path = path.slice(1);
    } else if (items.length === 2) {
      const { leaf, nibbles } = expand(items[0]);
      if (leaf) return finish(nibbles === path ? valueOf(items[1]) : null);
      if (!path.startsWith(nibbles)) return finish(null);
      path = path.slice(nibbles.length);
      node = items[1]!;
    } else {
      throw invalid('a node of no kind');
    }
  }
}

function nodeByHash(hash: Hex, rlp: Hex | undefined): readonly Item[] {
  if (rlp === undefined || keccak256(hexToBytes(rlp)) !== hash) throw invalid('a node is not the one its parent names');
  const node = decodeRlp(rlp, 'a node is no RLP', 'TRIE_PROOF_INVALID');
  if (typeof node === 'string') throw invalid('a node is no list');
  return node;
}

function expand(item: Item | undefined): { leaf: boolean; nibbles: string } {
  const flag = typeof item === 'string' && item.length >= 4 ? Number.parseInt(item[2]!, 16) : 4;
  if (typeof item !== 'string' || flag > 3 || (flag % 2 === 0 && item[3] !== '0')) throw invalid('a path of no kind');
  return { leaf: flag >= 2, nibbles: item.slice(flag % 2 === 0 ? 4 : 3) };
}

function valueOf(item: Item | undefined): Hex | null {
  if (typeof item !== 'string') throw invalid('a value is no text');
  return item === '0x' ? null : item;
}

const invalid = (reason: string): EvmError => new EvmError('TRIE_PROOF_INVALID', reason);
