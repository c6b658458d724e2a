/** Counts the results of steps that are on their way to the journal. */
export class OpenRecords {
  #open = 0;
  #waiters: { most: number; resolve(): void }[] = [];

  begin(): void {
    this.#open += 1;
  }

  end(): void {
    this.#open -= 1;
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) {
      if (this.#open <= waiter.most) waiter.resolve();
      else this.#waiters.push(waiter);
    }
  }

  /** Undefined when at most this many are open already. */
  downTo(most: number): Promise<void> | undefined {
    if (this.#open <= most) return undefined;
    return new Promise((resolve) => this.#waiters.push({ most, resolve }));
  }
}
