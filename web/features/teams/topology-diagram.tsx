import type { Agent } from "../../api/agents.ts";
import type { Team, Topology } from "../../api/teams.ts";
import { type Member, layoutTopology } from "../../flow/topology-layout.ts";
import "./teams.css";

/** The lines show which agents talk to each other; external agents have a dashed outline. */
export function TopologyDiagram({ topology, members }: { topology: Topology; members: readonly Member[] }) {
  const { members: placed, lines, width, height } = layoutTopology(topology, members);
  if (placed.length === 0) return <p className="small muted">No members yet.</p>;
  return (
    <svg
      className="topology"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${topology}: ${members.map(({ name }) => name).join(", ")}`}
    >
      {lines.map(({ from, to }, index) => (
        <line key={index} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      ))}
      {placed.map((place) => (
        <g key={place.name}>
          <circle className={place.external ? "outside" : ""} cx={place.x} cy={place.y} r={15} />
          <text x={place.x} y={place.y + 4}>
            {place.name.slice(0, 2)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The members of a team by name; an unregistered agent is shown by its id. */
export function membersOf(
  { agents, externalAgents }: Pick<Team, "agents" | "externalAgents">,
  known: readonly Agent[],
): Member[] {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return [
    ...agents.map((id) => ({ name: names.get(id) ?? id, external: false })),
    ...externalAgents.map(({ name }) => ({ name, external: true })),
  ];
}
