import { Send } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useAgents, useModels } from "../../api/agents.ts";
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
import { TextField } from "../../ui/field.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { RecordScreen } from "../../ui/record-screen.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ExternalSecrets } from "./external-secrets.tsx";
import { Invitation } from "./invitation.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { MemberList } from "./member-list.tsx";
import { Allowed } from "../../ui/allowed.tsx";

export function TeamScreen() {
  const { id } = useParams<{ id: string }>();
  return (
    <RecordScreen
      noun="Team"
      home={{ to: "/teams", label: "Teams" }}
      record={useTeam(id)}
      may="updateTeam"
      editor={(team, close) => <TeamDialog team={team} onClose={close} />}
    >
      {(team) => (
        <>
          <Allowed to="startSession">
            <ObjectiveForm team={team} />
          </Allowed>
          <div className="team-columns">
            <Sessions team={team} />
            <section className="stack" aria-label="Members">
              <h2>Members</h2>
              <Members team={team} />
              <Allowed to="updateTeam">
                <Invitation team={team} />
                <ExternalSecrets team={team} />
                <TeamActions team={team} />
              </Allowed>
            </section>
          </div>
        </>
      )}
    </RecordScreen>
  );
}

function ObjectiveForm({ team }: { team: Team }) {
  const [, navigate] = useLocation();
  const [objective, setObjective] = useState("");
  const start = useTeamMutation(
    () => startSession(team.id, objective),
    (sessionId) => navigate(`/teams/${team.id}/sessions/${sessionId}`),
  );
  return (
    <>
      <MissingModel team={team} />
      <form
        className="card pad stack"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(undefined);
        }}
      >
        <TextField
          label="Objective"
          rows={2}
          required
          value={objective}
          onChange={setObjective}
          placeholder="Why did refunds double in October? One page, with numbers."
        />
        <div>
          <button type="submit" className="btn go" disabled={start.isPending}>
            <Send size={14} /> Start session
          </button>
        </div>
      </form>
      {start.error !== null && <Failure error={start.error} />}
    </>
  );
}

/** The agents that could not answer. External agents bring their own model. */
function MissingModel({ team }: { team: Team }) {
  const models = useModels().data;
  const agents = useAgents().data ?? [];
  const unable = agents.filter(({ id, connection }) => connection === null && team.agents.includes(id));
  if (models?.length !== 0 || unable.length === 0) return null;
  return (
    <div className="notice wait" role="note">
      <span>
        No language model is configured for{" "}
        {unable.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ", "}
            <Link href={`/agents/${id}`}>{name}</Link>
          </span>
        ))}
        . Choose a connection in the agent, or set <code>LLM_PROVIDER</code> and restart the service.
      </span>
    </div>
  );
}

function Sessions({ team }: { team: Team }) {
  const sessions = useSessionPages(team.id);
  return (
    <section className="stack" aria-label="Sessions">
      <h2>Sessions</h2>
      <RecordList
        list={sessions}
        empty={
          <Empty title="No sessions yet">
            Give the team an objective. Every session has its own room and log.
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
  );
}

function Members({ team }: { team: Team }) {
  const discovery = useDiscovery(team.id);
  return (
    <Loaded query={discovery}>
      {(members) => <MemberList members={members} topology={team.topology} />}
    </Loaded>
  );
}

function TeamActions({ team }: { team: Team }) {
  const [, navigate] = useLocation();
  const [secret, setSecret] = useState<string>();
  const rotate = useTeamMutation(() => rotateTeamSecret(team.id));
  const remove = useTeamMutation(
    () => deleteTeam(team.id),
    () => navigate("/teams"),
  );
  return (
    <div className="row wrap">
      <ConfirmButton
        className="btn tiny"
        question="Rotate the secret?"
        consequence="The current secret stops working immediately. External agents are refused until they use the new one."
        confirm="Rotate"
        onConfirm={async () => setSecret(await rotate.mutateAsync(undefined))}
      >
        Rotate secret
      </ConfirmButton>
      <ConfirmButton
        className="btn tiny danger"
        question={`Delete “${team.name}”?`}
        consequence="Its sessions and their messages are deleted permanently. The agents are kept."
        confirm="Delete"
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        Delete team
      </ConfirmButton>
      {secret !== undefined && (
        <SecretDialog
          title="New team secret"
          label="Team secret (header x-a2a-secret)"
          value={secret}
          onClose={() => setSecret(undefined)}
        >
          <Invitation team={team} />
        </SecretDialog>
      )}
    </div>
  );
}
