import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useAgents, useTeams } from "../../api/teams.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { TeamTabs } from "./team-tabs.tsx";
import { membersOf } from "./members.ts";
import { TopologyPicture } from "./topology-picture.tsx";

export function Teams() {
  const teams = useTeams();
  const agents = useAgents().data ?? [];
  const [making, setMaking] = useState(false);
  return (
    <Screen
      title="Teams"
      actions={
        <button type="button" className="btn go" onClick={() => setMaking(true)}>
          <Plus size={14} /> New team
        </button>
      }
    >
      <div className="page">
        <TeamTabs />
        <Loaded query={teams}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No teams yet">
                A team is a few agents, yours or from outside, with a goal. They talk in a room that you can
                sit in, listen to and speak in.
              </Empty>
            ) : (
              <div className="grid">
                {list.map((team) => (
                  <article key={team.id} className="card pad stack tight">
                    <h2>
                      <Link href={`/teams/${team.id}`}>{team.name}</Link>
                    </h2>
                    <p className="small muted">{team.description || team.topology}</p>
                    <TopologyPicture topology={team.topology} members={membersOf(team, agents)} />
                  </article>
                ))}
              </div>
            )
          }
        </Loaded>
      </div>
      {making && <TeamDialog onClose={() => setMaking(false)} />}
    </Screen>
  );
}
