import type { DiscoveryEntry, Topology } from "../../api/teams.ts";
import { TopologyPicture } from "./topology-picture.tsx";

interface RosterProps {
  members: readonly DiscoveryEntry[];
  working: ReadonlyMap<string, string>;
  me: string;
  topology: Topology;
}

export function Roster({ members, working, me, topology }: RosterProps) {
  return (
    <div className="stack">
      <div className="caps">In the room</div>
      <ul className="plain-list stack tight">
        {members.map((member) => (
          <li key={`${member.type}/${member.id}`} className="member">
            <span className={`av${member.type === "external" ? " outside" : ""}`} aria-hidden>
              {member.name.slice(0, 2)}
            </span>
            <b className="small">{member.name}</b>
            <span className="xs muted">
              {working.get(member.id) ??
                (member.type === "external" ? "outside · A2A" : member.capabilities.join(", ") || "waiting")}
            </span>
          </li>
        ))}
        <li className="member">
          <span className="av me" aria-hidden>
            {me.slice(0, 2)}
          </span>
          <b className="small">{me}</b>
          <span className="xs muted">you, watching</span>
        </li>
      </ul>
      <div className="caps">{topology}</div>
      <TopologyPicture
        topology={topology}
        members={members.map(({ name, type }) => ({ name, external: type === "external" }))}
      />
    </div>
  );
}
