/**
 * Runs one read at a time for any number of requests. A read that began before a request does not answer it: an answer is
 * never older than its request.
 */
export class SharedRead<T> {
  private running: Promise<void> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly read: () => Promise<T>) {}

  /** Returns a value read since the call. @throws the error of the read, to all its waiters; the next read starts anew. */
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
