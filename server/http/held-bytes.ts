/** The bytes that each network holds of several items. */
export function createHeldBytes<Item>() {
  // A Map iterates in the order of insertion: oldest first.
  const networks = new Map<string, { bytes: number; items: Map<Item, number> }>();
  let total = 0;

  return {
    total: () => total,
    of: (network: string): number => networks.get(network)?.bytes ?? 0,
    /** Adds the item, or bytes to it. */
    add(network: string, item: Item, bytes: number): void {
      const share = networks.get(network) ?? { bytes: 0, items: new Map<Item, number>() };
      networks.set(network, share);
      share.items.set(item, (share.items.get(item) ?? 0) + bytes);
      share.bytes += bytes;
      total += bytes;
    },
    remove(network: string, item: Item): void {
      const share = networks.get(network);
      const bytes = share?.items.get(item);
      if (share === undefined || bytes === undefined) return;
      share.items.delete(item);
      share.bytes -= bytes;
      total -= bytes;
      if (share.items.size === 0) networks.delete(network);
    },
    /** The oldest item of the network that holds the most. */
    oldestOfLargest(): Item | undefined {
      let largest: { bytes: number; items: Map<Item, number> } | undefined;
      for (const share of networks.values())
        if (largest === undefined || share.bytes > largest.bytes) largest = share;
      return largest?.items.keys().next().value;
    },
  };
}
