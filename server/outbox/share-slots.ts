/** An owner with due deliveries. */
export interface DueOwner {
  ownerId: string;
  /** When the oldest became due. */
  dueAt: number;
}

export interface Share {
  ownerId: string;
  count: number;
}

/**
 * Distributes free slots: the next one goes to the owner with the fewest deliveries in flight, then to the one that has
 * waited longest. An owner whose receivers hang keeps only its own `perOwner` slots busy.
 */
export function shareSlots(
  owners: readonly DueOwner[],
  { inFlight, free, perOwner }: { inFlight: ReadonlyMap<string, number>; free: number; perOwner: number },
): Share[] {
  const inTurn = owners.toSorted((a, b) => a.dueAt - b.dueAt);
  const counts = new Map<string, number>();
  let left = free;
  for (let level = 0; level < perOwner && left > 0; level++) {
    for (const { ownerId } of inTurn) {
      if (left === 0) break;
      if ((inFlight.get(ownerId) ?? 0) > level) continue;
      counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
      left -= 1;
    }
  }
  return [...counts].map(([ownerId, count]) => ({ ownerId, count }));
}
