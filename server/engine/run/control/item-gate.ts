/** An item that is in memory until `leave` is called. */
export interface EnteredItem<T> {
  value: T;
  leave(): void;
}

/**
 * Bounds the items that the iterations of one loop hold in memory: those in progress together take at most `maxBytes`,
 * or there is only one. One more may be read and wait for room.
 */
export interface ItemGate {
  enter<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<EnteredItem<T>>;
}

export function createItemGate(maxBytes: number): ItemGate {
  let held = 0;
  let wake: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function admit<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<EnteredItem<T>> {
    const value = await read();
    const size = sizeOf(value);
    while (held > 0 && held + size > maxBytes) await new Promise<void>((resolve) => (wake = resolve));
    held += size;
    let isIn = true;
    return {
      value,
      leave() {
        if (!isIn) return;
        isIn = false;
        held -= size;
        wake?.();
      },
    };
  }

  return {
    // One after the other: the size of an item is known only after it was read.
    enter(read, sizeOf) {
      const admitted = last.then(() => admit(read, sizeOf));
      last = admitted.catch(() => undefined);
      return admitted;
    },
  };
}
