/** Slots in use, by lane and owner. */
export function createSlotCounts() {
  const lanes = new Map<string, { total: number; owners: Map<string, number> }>();
  return {
    inLane: (lane: string): number => lanes.get(lane)?.total ?? 0,
    ofOwner: (lane: string, ownerId: string): number => lanes.get(lane)?.owners.get(ownerId) ?? 0,
    add(lane: string, ownerId: string, by: number): void {
      let counts = lanes.get(lane);
      if (counts === undefined) {
        counts = { total: 0, owners: new Map() };
        lanes.set(lane, counts);
      }
      counts.total += by;
      const count = (counts.owners.get(ownerId) ?? 0) + by;
      if (count === 0) counts.owners.delete(ownerId);
      else counts.owners.set(ownerId, count);
    },
  };
}
