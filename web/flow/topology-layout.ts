export interface Member {
  name: string;
  external: boolean;
}

interface Place extends Member {
  x: number;
  y: number;
}

export interface TopologyPicture {
  places: Place[];
  lines: { from: Place; to: Place }[];
  width: number;
  height: number;
}

const WIDTH = 220;
const HEIGHT = 160;
const GAP = 52;

/** Places the members: a mesh as a ring with all connections, a hierarchy with its lead on top, a line from left to right. */
export function layoutTopology(
  topology: "mesh" | "hierarchical" | "linear",
  members: readonly Member[],
): TopologyPicture {
  if (topology === "linear") {
    const places = members.map((member, index): Place => ({ ...member, x: 30 + index * GAP, y: 40 }));
    const lines = places.slice(1).map((to, index) => ({ from: places[index] ?? to, to }));
    return { places, lines, width: Math.max(WIDTH, 60 + (members.length - 1) * GAP), height: 80 };
  }
  if (topology === "hierarchical") {
    const [first, ...rest] = members;
    if (first === undefined) return { places: [], lines: [], width: WIDTH, height: HEIGHT };
    const width = Math.max(WIDTH, rest.length * GAP + 20);
    const lead: Place = { ...first, x: width / 2, y: 28 };
    const below = rest.map((member, index): Place => ({
      ...member,
      x: ((index + 0.5) * width) / rest.length,
      y: 118,
    }));
    return {
      places: [lead, ...below],
      lines: below.map((to) => ({ from: lead, to })),
      width,
      height: HEIGHT,
    };
  }
  const radius = members.length === 1 ? 0 : 56;
  const places = members.map((member, index): Place => {
    const angle = (index / members.length) * 2 * Math.PI - Math.PI / 2;
    return { ...member, x: WIDTH / 2 + radius * Math.cos(angle), y: HEIGHT / 2 + radius * Math.sin(angle) };
  });
  const lines = places.flatMap((from, index) => places.slice(index + 1).map((to) => ({ from, to })));
  return { places, lines, width: WIDTH, height: HEIGHT };
}
