import type { DiscoveryEntry, Topology } from "../../api/teams.ts";
import { TopologyDiagram } from "./topology-diagram.tsx";

interface MemberListProps {
  members: readonly DiscoveryEntry[];
  /** The current activity of each working agent, by agent id. */
  activity?: ReadonlyMap<string, string>;
  /** The user, who is a member of a room. */
  userName?: string;
  topology: Topology;
}

/** The members of a team with what they can do, or are doing. */
export function MemberList({ members, activity, userName, topology }: MemberListProps) {
  return (
    <div className="stack">
      <ul className="plain-list stack tight">
        {members.map((member) => (
          <li key={`${member.type}/${member.id}`} className="member">
            <span className={`av${member.type === "external" ? " outside" : ""}`} aria-hidden>
              {member.name.slice(0, 2)}
            </span>
            <b className="small">{member.name}</b>
            <span className="xs muted">
              {activity?.get(member.id) ??
                [member.type === "external" ? "external" : "", ...member.capabilities]
                  .filter(Boolean)
                  .join(" · ")}
            </span>
          </li>
        ))}
        {userName !== undefined && (
          <li className="member">
            <span className="av me" aria-hidden>
              {userName.slice(0, 2)}
            </span>
            <b className="small">{userName}</b>
            <span className="xs muted">you</span>
          </li>
        )}
      </ul>
      <div className="caps">Topology · {topology}</div>
      <TopologyDiagram
        topology={topology}
        members={members.map(({ name, type }) => ({ name, external: type === "external" }))}
      />
    </div>
  );
}
