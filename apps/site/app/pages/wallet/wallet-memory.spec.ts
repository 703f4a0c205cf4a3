import { describe, expect, it } from '@jest/globals';
import { forget, recall, remember } from './wallet-memory.js';

class MemoryStorage implements Storage {
  private readonly entries = new Map<string, string>();
  get length(): number {
    return this.entries.size;
  }
  clear(): void {
    this.entries.clear();
  }
  key(index: number): string | null {
    return [...this.entries.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.entries.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.entries.set(key, value);
  }
  removeItem(key: string): void {
    this.entries.delete(key);
  }
}

const sent = { id: 'launch', stepId: 'register', hash: `0x${'a'.repeat(64)}` } as const;

describe('The memory of a tab', () => {
  it('returns the transaction of its launch only, until it is forgotten', () => {
    const storage = new MemoryStorage();
    remember(storage, sent);
    expect([recall(storage, 'launch'), recall(storage, 'another')]).toEqual([sent, null]);
    forget(storage, 'launch');
    expect(recall(storage, 'launch')).toBeNull();
  });

  it('contains the step and the hash, and nothing else', () => {
    const storage = new MemoryStorage();
    remember(storage, sent);
    expect(JSON.parse(storage.getItem(storage.key(0)!)!)).toEqual({ stepId: 'register', hash: sent.hash });
  });

  it.each(['', '{', 'null', '[]', '{"hash":"0x1","stepId":null}', `{"hash":"${sent.hash}","stepId":7}`])(
    'ignores an entry in another form: %s',
    (text) => {
      const storage = new MemoryStorage();
      remember(storage, sent);
      storage.setItem(storage.key(0)!, text);
      expect(recall(storage, 'launch')).toBeNull();
    },
  );
});
