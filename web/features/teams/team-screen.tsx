import { Send } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { call } from "../../api/client.ts";
import { runTeam, type Team, useDiscovery, useSessions, useTeam, useTeamChange } from "../../api/teams.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ago } from "../../ui/time.ts";
import { Invitation } from "./invitation.tsx";
import { TopologyPicture } from "./topology-picture.tsx";

export function TeamScreen() {
  const { id } = useParams<{ id: string }>();
  const team = useTeam(id);
  return (
    <Screen
      title={team.data?.name ?? "Team"}
      path={
        <>
          <Link href="/teams">Teams</Link> /
        </>
      }
    >
      <div className="page">
        <Loaded query={team}>{(record) => <TeamView team={record} />}</Loaded>
      </div>
    </Screen>
  );
}

function TeamView({ team }: { team: Team }) {
  const [, go] = useLocation();
  const [objective, setObjective] = useState("");
  const [secret, setSecret] = useState<string>();
  const discovery = useDiscovery(team.id);
  const sessions = useSessions(team.id);
  const run = useTeamChange(
    () => runTeam(team.id, objective),
    (sessionId) => go(`/teams/${team.id}/sessions/${sessionId}`),
  );
  const rotate = useTeamChange(
    () =>
      call<{ team: { a2aSecret: string } }>(`/api/agent-teams/${team.id}/rotate-secret`, { method: "POST" }),
    (answer) => setSecret(answer.team.a2aSecret),
  );
  const remove = useTeamChange(
    () => call(`/api/agent-teams/${team.id}`, { method: "DELETE" }),
    () => go("/teams"),
  );
  const error = run.error ?? rotate.error ?? remove.error;
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
      {error !== null && <Failure error={error} />}
      <div className="team-columns">
        <section className="stack" aria-label="Sessions">
          <h2>Sessions</h2>
          <Loaded query={sessions}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="Nothing yet">
                  Give the team something to do. Each time makes a room with its own log.
                </Empty>
              ) : (
                <div className="stack tight">
                  {list.map((session) => (
                    <Link
                      key={session.id}
                      href={`/teams/${team.id}/sessions/${session.id}`}
                      className="card pad session-row"
                    >
                      <span className="grow ellipsis">{session.objective}</span>
                      <StatusChip status={session.status} />
                      <span className="muted small">{ago(session.createdAt)}</span>
                    </Link>
                  ))}
                </div>
              )
            }
          </Loaded>
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
            <button
              type="button"
              className="btn tiny"
              disabled={rotate.isPending}
              onClick={() => rotate.mutate(undefined)}
            >
              New secret
            </button>
            <button
              type="button"
              className="btn tiny danger"
              disabled={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              Delete the team
            </button>
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
