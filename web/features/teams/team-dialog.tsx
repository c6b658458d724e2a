import { useState } from "react";
import { useLocation } from "wouter";
import { useAgents } from "../../api/agents.ts";
import { createTeam, type Team, type Topology, updateTeam, useTeamMutation } from "../../api/teams.ts";
import { parseExternalAgents, formatExternalAgents } from "../../flow/external-agents.ts";
import { ChooseMany } from "../../ui/choose-many.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Invitation } from "./invitation.tsx";
import { membersOf } from "./members.ts";
import { TopologyPicture } from "./topology-picture.tsx";

const TOPOLOGIES: { value: Topology; label: string }[] = [
  { value: "mesh", label: "Mesh: all hear all" },
  { value: "hierarchical", label: "Hierarchy: the first leads and delegates" },
  { value: "linear", label: "Line: each hands on to the next" },
];

type Saved = Team & { a2aSecret?: string };

/** Makes a team, or changes one. Its secret is shown once, when it is made. */
export function TeamDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const known = useAgents().data ?? [];
  const [name, setName] = useState(team?.name ?? "");
  const [description, setDescription] = useState(team?.description ?? "");
  const [agents, setAgents] = useState<readonly string[]>(team?.agents ?? []);
  const [outside, setOutside] = useState(formatExternalAgents(team?.externalAgents ?? []));
  const [topology, setTopology] = useState<Topology>(team?.topology ?? "mesh");
  const externalAgents = parseExternalAgents(outside);
  const save = useTeamMutation(
    (): Promise<Saved> => {
      const body = { name, description, agents: [...agents], externalAgents, topology };
      return team === undefined ? createTeam(body) : updateTeam(team.id, body);
    },
    (saved) => saved.a2aSecret === undefined && onClose(),
  );
  if (save.data?.a2aSecret !== undefined) return <NewTeam team={save.data} secret={save.data.a2aSecret} />;
  const unregistered = agents.filter((id) => !known.some((agent) => agent.id === id));
  return (
    <FormDialog
      title={team === undefined ? "New team" : `Change “${team.name}”`}
      onClose={onClose}
      action={save}
      submit={team === undefined ? "Make the team" : "Save"}
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Research squad" />
      <TextField label="What it is for" value={description} onChange={setDescription} />
      <ChooseMany
        label="Your agents"
        options={[
          ...known.map((agent) => ({ value: agent.id, label: agent.name })),
          // One that is not registered yet, or no longer, keeps its place until it is taken out here.
          ...unregistered.map((id) => ({ value: id, label: `${id} (not registered)` })),
        ]}
        chosen={agents}
        onChange={setAgents}
        ordered={topology !== "mesh"}
      />
      <TextField
        label="Agents from outside"
        rows={2}
        value={outside}
        onChange={setOutside}
        placeholder="summarizer: summarize, translate"
        hint="One a line: its name, a colon, what it can do, and its address if it has one: @ https://…"
      />
      <SelectField
        label="How they work together"
        options={TOPOLOGIES}
        value={topology}
        onChange={(value) => setTopology(value as Topology)}
      />
      <TopologyPicture
        topology={topology}
        members={membersOf({ agents: [...agents], externalAgents }, known)}
      />
    </FormDialog>
  );
}

function NewTeam({ team, secret }: { team: Team; secret: string }) {
  const [, go] = useLocation();
  const open = (): void => go(`/teams/${team.id}`);
  return (
    <Dialog title={`“${team.name}” is ready`} onClose={open}>
      <Invitation team={team} secret={secret} />
      <div className="actions">
        <button type="button" className="btn go" onClick={open}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
