export interface Member {
  name: string;
  external: boolean;
}

interface PlacedMember extends Member {
  x: number;
  y: number;
}

interface TopologyLayout {
  members: PlacedMember[];
  lines: { from: PlacedMember; to: PlacedMember }[];
  width: number;
  height: number;
}

const WIDTH = 220;
const HEIGHT = 160;
const GAP = 52;

/** A mesh is a ring with all connections, a hierarchy has its lead on top, a line runs left to right. */
export function layoutTopology(
  topology: "mesh" | "hierarchical" | "linear",
  members: readonly Member[],
): TopologyLayout {
  if (topology === "linear") {
    const placed = members.map((member, index): PlacedMember => ({ ...member, x: 30 + index * GAP, y: 40 }));
    const lines = placed.slice(1).map((to, index) => ({ from: placed[index] ?? to, to }));
    return { members: placed, lines, width: Math.max(WIDTH, 60 + (members.length - 1) * GAP), height: 80 };
  }
  if (topology === "hierarchical") {
    const [first, ...rest] = members;
    if (first === undefined) return { members: [], lines: [], width: WIDTH, height: HEIGHT };
    const width = Math.max(WIDTH, rest.length * GAP + 20);
    const lead: PlacedMember = { ...first, x: width / 2, y: 28 };
    const below = rest.map((member, index): PlacedMember => ({
      ...member,
      x: ((index + 0.5) * width) / rest.length,
      y: 118,
    }));
    return {
      members: [lead, ...below],
      lines: below.map((to) => ({ from: lead, to })),
      width,
      height: HEIGHT,
    };
  }
  const radius = members.length === 1 ? 0 : 56;
  const placed = members.map((member, index): PlacedMember => {
    const angle = (index / members.length) * 2 * Math.PI - Math.PI / 2;
    return { ...member, x: WIDTH / 2 + radius * Math.cos(angle), y: HEIGHT / 2 + radius * Math.sin(angle) };
  });
  const lines = placed.flatMap((from, index) => placed.slice(index + 1).map((to) => ({ from, to })));
  return { members: placed, lines, width: WIDTH, height: HEIGHT };
}
