/** What each network holds of something, as a number of items and their bytes. */
export function createHeldBytes<Item>() {
  // A Map and a Set iterate in the order of insertion: oldest first.
  const networks = new Map<string, { bytes: number; items: Map<Item, number> }>();
  const total = { bytes: 0, count: 0 };

  return {
    total: total as Readonly<typeof total>,
    of: (network: string): { bytes: number; count: number } => {
      const share = networks.get(network);
      return { bytes: share?.bytes ?? 0, count: share?.items.size ?? 0 };
    },
    /** Adds the item, or bytes to it. */
    add(network: string, item: Item, bytes: number): void {
      const share = networks.get(network) ?? { bytes: 0, items: new Map<Item, number>() };
      networks.set(network, share);
      if (!share.items.has(item)) total.count += 1;
      share.items.set(item, (share.items.get(item) ?? 0) + bytes);
      share.bytes += bytes;
      total.bytes += bytes;
    },
    remove(network: string, item: Item): void {
      const share = networks.get(network);
      const bytes = share?.items.get(item);
      if (share === undefined || bytes === undefined) return;
      share.items.delete(item);
      share.bytes -= bytes;
      total.bytes -= bytes;
      total.count -= 1;
      if (share.items.size === 0) networks.delete(network);
    },
    /** The oldest item of the network that holds the most. */
    oldestOfLargest(by: "bytes" | "count"): Item | undefined {
      let largest: Map<Item, number> | undefined;
      let most = -1;
      for (const { bytes, items } of networks.values()) {
        const size = by === "bytes" ? bytes : items.size;
        if (size <= most) continue;
        most = size;
        largest = items;
      }
      return largest?.keys().next().value;
    },
  };
}
