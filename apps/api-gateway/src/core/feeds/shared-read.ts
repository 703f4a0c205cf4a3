/**
 * One read at a time for any number of those who ask. A read that began before a question does not answer it: an answer
 * is never older than its question.
 */
export class SharedRead<T> {
  private running: Promise<void> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly read: () => Promise<T>) {}

  /** What was read since the call. @throws what the read throws, for all who wait for it; the next is tried anew. */
  ask(): Promise<T> {
    if (this.running === null) return this.begin();
    return (this.next ??= this.running.then(() => {
      this.next = null;
      return this.begin();
    }));
  }

  private begin(): Promise<T> {
    const reading = this.read();
    const ended = (): void => void (this.running = null);
    this.running = reading.then(ended, ended);
    return reading;
  }
}
