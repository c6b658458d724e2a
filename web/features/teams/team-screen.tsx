import { Send } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { startSession, useSessionPages } from "../../api/sessions.ts";
import {
  deleteTeam,
  rotateTeamSecret,
  type Team,
  useDiscovery,
  useTeam,
  useTeamMutation,
} from "../../api/teams.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { RecordScreen } from "../../ui/record-screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { Invitation } from "./invitation.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { TopologyPicture } from "./topology-picture.tsx";

export function TeamScreen() {
  const { id } = useParams<{ id: string }>();
  return (
    <RecordScreen
      noun="Team"
      home={{ to: "/teams", label: "Teams" }}
      record={useTeam(id)}
      editor={(team, close) => <TeamDialog team={team} onClose={close} />}
    >
      {(team) => <TeamView team={team} />}
    </RecordScreen>
  );
}

function TeamView({ team }: { team: Team }) {
  const [, go] = useLocation();
  const [objective, setObjective] = useState("");
  const [secret, setSecret] = useState<string>();
  const discovery = useDiscovery(team.id);
  const sessions = useSessionPages(team.id);
  const run = useTeamMutation(
    () => startSession(team.id, objective),
    (sessionId) => go(`/teams/${team.id}/sessions/${sessionId}`),
  );
  const rotate = useTeamMutation(() => rotateTeamSecret(team.id));
  const remove = useTeamMutation(
    () => deleteTeam(team.id),
    () => go("/teams"),
  );
  return (
    <>
      <form
        className="card pad stack"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(undefined);
        }}
      >
        <TextField
          label="What should the team do?"
          rows={2}
          required
          value={objective}
          onChange={setObjective}
          placeholder="Why did refunds double in October? One page, with numbers."
        />
        <div>
          <button type="submit" className="btn go" disabled={run.isPending}>
            <Send size={14} /> Open the room
          </button>
        </div>
      </form>
      {run.error !== null && <Failure error={run.error} />}
      <div className="team-columns">
        <section className="stack" aria-label="Sessions">
          <h2>Sessions</h2>
          <RecordList
            list={sessions}
            empty={
              <Empty title="Nothing yet">
                Give the team something to do. Each time makes a room with its own log.
              </Empty>
            }
          >
            {(list) => (
              <div className="stack tight">
                {list.map((session) => (
                  <Link
                    key={session.id}
                    href={`/teams/${team.id}/sessions/${session.id}`}
                    className="card pad session-row"
                  >
                    <span className="grow ellipsis">{session.objective}</span>
                    <StatusChip status={session.status} />
                    <span className="muted small">
                      <Ago at={session.createdAt} />
                    </span>
                  </Link>
                ))}
              </div>
            )}
          </RecordList>
        </section>
        <section className="stack" aria-label="Members">
          <h2>Who is in it</h2>
          <Loaded query={discovery}>
            {(members) => (
              <>
                <TopologyPicture
                  topology={team.topology}
                  members={members.map(({ name, type }) => ({ name, external: type === "external" }))}
                />
                <ul className="plain-list stack tight">
                  {members.map((member) => (
                    <li key={`${member.type}/${member.id}`} className="small">
                      <b>{member.name}</b>{" "}
                      <span className="muted">{member.type === "external" ? "from outside" : ""}</span>{" "}
                      {member.capabilities.map((word) => (
                        <span key={word} className="chip">
                          {word}
                        </span>
                      ))}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Loaded>
          <Invitation team={team} />
          <div className="row wrap">
            <ConfirmButton
              className="btn tiny"
              question="Make a new secret?"
              consequence="The old one stops working at once: agents from outside are refused until they have the new one."
              confirm="Make it"
              act={async () => setSecret(await rotate.mutateAsync(undefined))}
            >
              New secret
            </ConfirmButton>
            <ConfirmButton
              className="btn tiny danger"
              question={`Delete “${team.name}”?`}
              consequence="Its sessions and everything that was said in them go for good. The agents stay."
              confirm="Delete"
              act={() => remove.mutateAsync(undefined)}
            >
              Delete the team
            </ConfirmButton>
          </div>
        </section>
      </div>
      {secret !== undefined && (
        <Dialog title="The new secret" onClose={() => setSecret(undefined)}>
          <Invitation team={team} secret={secret} />
        </Dialog>
      )}
    </>
  );
}
