import type { DiscoveryEntry, Topology } from "../../api/teams.ts";
import { TopologyDiagram } from "./topology-diagram.tsx";

interface MemberListProps {
  members: readonly DiscoveryEntry[];
  /** The current activity of each working agent, by agent id. */
  activity: ReadonlyMap<string, string>;
  userName: string;
  topology: Topology;
}

/** Everyone in a war room, with their current activity. */
export function MemberList({ members, activity, userName, topology }: MemberListProps) {
  return (
    <div className="stack">
      <div className="caps">Members</div>
      <ul className="plain-list stack tight">
        {members.map((member) => (
          <li key={`${member.type}/${member.id}`} className="member">
            <span className={`av${member.type === "external" ? " outside" : ""}`} aria-hidden>
              {member.name.slice(0, 2)}
            </span>
            <b className="small">{member.name}</b>
            <span className="xs muted">
              {activity.get(member.id) ??
                (member.type === "external" ? "external · A2A" : member.capabilities.join(", ") || "idle")}
            </span>
          </li>
        ))}
        <li className="member">
          <span className="av me" aria-hidden>
            {userName.slice(0, 2)}
          </span>
          <b className="small">{userName}</b>
          <span className="xs muted">you</span>
        </li>
      </ul>
      <div className="caps">{topology}</div>
      <TopologyDiagram
        topology={topology}
        members={members.map(({ name, type }) => ({ name, external: type === "external" }))}
      />
    </div>
  );
}
