import { useState } from "react";
import { useLocation } from "wouter";
import { useAgents } from "../../api/agents.ts";
import {
  createTeam,
  type Team,
  type TeamLimits,
  type Topology,
  updateTeam,
  useTeamMutation,
} from "../../api/teams.ts";
import { toMembers, toRows } from "../../flow/team-form.ts";
import { TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Invitation } from "./invitation.tsx";
import { MemberRows } from "./member-rows.tsx";
import { membersOf, TopologyDiagram } from "./topology-diagram.tsx";

const TOPOLOGIES: { value: Topology; label: string; detail: string }[] = [
  { value: "mesh", label: "Mesh", detail: "Every agent talks to every other." },
  { value: "hierarchical", label: "Hierarchical", detail: "The first agent delegates to the others." },
  { value: "linear", label: "Linear", detail: "Each agent passes its result to the next." },
];

type Saved = Team & { a2aSecret?: string };

/** Creates a team or edits one. A new team with external agents shows their secret once; otherwise nobody needs it yet. */
export function TeamDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const [, navigate] = useLocation();
  const known = useAgents().data ?? [];
  const [name, setName] = useState(team?.name ?? "");
  const [description, setDescription] = useState(team?.description ?? "");
  const [rows, setRows] = useState(() =>
    toRows(team ?? { agents: [], externalAgents: [], memberInstructions: {} }),
  );
  const [topology, setTopology] = useState<Topology>(team?.topology ?? "mesh");
  const [limits, setLimits] = useState<TeamLimits>(team?.limits ?? {});
  const setLimit = (limit: keyof TeamLimits, value: number | null): void => {
    const { [limit]: _old, ...others } = limits;
    setLimits(value === null ? others : { ...others, [limit]: value });
  };
  const members = toMembers(rows);
  const save = useTeamMutation(
    (): Promise<Saved> => {
      const body = { name, description, ...members, topology, limits };
      return team === undefined ? createTeam(body) : updateTeam(team.id, body);
    },
    (saved) => {
      if (team !== undefined) onClose();
      else if (saved.externalAgents.length === 0) navigate(`/teams/${saved.id}`);
    },
  );
  if (save.data?.a2aSecret !== undefined && save.data.externalAgents.length > 0)
    return <NewTeam team={save.data} secret={save.data.a2aSecret} />;
  return (
    <FormDialog
      title={team === undefined ? "New team" : `Edit “${team.name}”`}
      onClose={onClose}
      action={save}
      submit={team === undefined ? "Create team" : "Save"}
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Research squad" />
      <TextField label="Description" value={description} onChange={setDescription} />
      <MemberRows rows={rows} onChange={setRows} known={known} topology={topology} />
      <div className="field">
        <span className="name">Topology</span>
        <div className="topology-choice">
          <div className="stack tight">
            <Segments label="Topology" value={topology} onChange={setTopology} options={TOPOLOGIES} />
            <p className="muted small">{TOPOLOGIES.find(({ value }) => value === topology)?.detail}</p>
          </div>
          <TopologyDiagram topology={topology} members={membersOf(members, known)} />
        </div>
      </div>
      <div className="external-fields">
        <NumberField
          label="Turns per session"
          value={limits.turns ?? null}
          onChange={(value) => setLimit("turns", value)}
          min={1}
          max={1000}
          placeholder="Limit of the service"
        />
        <NumberField
          label="Tokens per session"
          value={limits.tokens ?? null}
          onChange={(value) => setLimit("tokens", value)}
          min={100}
          placeholder="Limit of the service"
        />
      </div>
    </FormDialog>
  );
}

function NewTeam({ team, secret }: { team: Team; secret: string }) {
  const [, navigate] = useLocation();
  return (
    <SecretDialog
      title={`Team “${team.name}” created`}
      label="Team secret (header x-a2a-secret)"
      value={secret}
      onClose={() => navigate(`/teams/${team.id}`)}
    >
      <Invitation team={team} />
    </SecretDialog>
  );
}
