import { useState } from "react";
import { Link } from "wouter";
import { useAgents } from "../../api/agents.ts";
import { useTeamPages } from "../../api/teams.ts";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { TransferMenu } from "../transfers/transfer-menu.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { TeamTabs } from "./team-tabs.tsx";
import { membersOf, TopologyDiagram } from "./topology-diagram.tsx";

export function Teams() {
  const teams = useTeamPages();
  const agents = useAgents().data ?? [];
  const [creating, setCreating] = useState(false);
  return (
    <Screen
      title="Teams"
      actions={
        <NewButton may="createTeam" onClick={() => setCreating(true)}>
          New team
        </NewButton>
      }
    >
      <div className="page">
        <TeamTabs />
        <RecordList
          list={teams}
          empty={
            <Empty title="No teams yet">
              A team is a group of agents, your own or external, that work on an objective. Each session is a
              room where you can follow and join the conversation.
            </Empty>
          }
        >
          {(list) => (
            <div className="grid">
              {list.map((team) => (
                <article key={team.id} className="card pad stack tight">
                  <div className="row">
                    <h2 className="grow">
                      <Link href={`/teams/${team.id}`}>{team.name}</Link>
                    </h2>
                    <TransferMenu record={{ kind: "team", id: team.id, name: team.name }} />
                  </div>
                  <p className="small muted">{team.description || team.topology}</p>
                  <TopologyDiagram topology={team.topology} members={membersOf(team, agents)} />
                </article>
              ))}
            </div>
          )}
        </RecordList>
      </div>
      {creating && <TeamDialog team={undefined} onClose={() => setCreating(false)} />}
    </Screen>
  );
}
