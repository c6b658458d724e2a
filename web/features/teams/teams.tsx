import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useAgents } from "../../api/agents.ts";
import { useTeamPages } from "../../api/teams.ts";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { TeamTabs } from "./team-tabs.tsx";
import { membersOf } from "./members.ts";
import { TopologyPicture } from "./topology-picture.tsx";

export function Teams() {
  const teams = useTeamPages();
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
        <RecordList
          list={teams}
          empty={
            <Empty title="No teams yet">
              A team is a few agents, yours or from outside, with a goal. They talk in a room that you can sit
              in, listen to and speak in.
            </Empty>
          }
        >
          {(list) => (
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
          )}
        </RecordList>
      </div>
      {making && <TeamDialog team={undefined} onClose={() => setMaking(false)} />}
    </Screen>
  );
}
