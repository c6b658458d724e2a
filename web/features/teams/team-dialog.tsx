import { useState } from "react";
import { useLocation } from "wouter";
import { useAgents } from "../../api/agents.ts";
import { createTeam, type Team, type Topology, updateTeam, useTeamMutation } from "../../api/teams.ts";
import { parseExternalAgents, formatExternalAgents } from "../../flow/external-agents.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Invitation } from "./invitation.tsx";
import { membersOf, TopologyDiagram } from "./topology-diagram.tsx";

const TOPOLOGIES: { value: Topology; label: string }[] = [
  { value: "mesh", label: "Mesh: every agent talks to every other" },
  { value: "hierarchical", label: "Hierarchical: the first agent delegates to the others" },
  { value: "linear", label: "Linear: each agent passes its result to the next" },
];

type Saved = Team & { a2aSecret?: string };

/** Creates a team or edits one. A new team shows its secret once. */
export function TeamDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const known = useAgents().data ?? [];
  const [name, setName] = useState(team?.name ?? "");
  const [description, setDescription] = useState(team?.description ?? "");
  const [agents, setAgents] = useState<readonly string[]>(team?.agents ?? []);
  const [externalText, setExternalText] = useState(formatExternalAgents(team?.externalAgents ?? []));
  const [topology, setTopology] = useState<Topology>(team?.topology ?? "mesh");
  const externalAgents = parseExternalAgents(externalText);
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
      title={team === undefined ? "New team" : `Edit “${team.name}”`}
      onClose={onClose}
      action={save}
      submit={team === undefined ? "Create team" : "Save"}
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Research squad" />
      <TextField label="Description" value={description} onChange={setDescription} />
      <CheckboxList
        label="Your agents"
        options={[
          ...known.map((agent) => ({ value: agent.id, label: agent.name })),
          // An unregistered agent stays a member until it is unchecked.
          ...unregistered.map((id) => ({ value: id, label: `${id} (not registered)` })),
        ]}
        selected={agents}
        onChange={setAgents}
        ordered={topology !== "mesh"}
      />
      <TextField
        label="External agents"
        rows={2}
        value={externalText}
        onChange={setExternalText}
        placeholder="summarizer: summarize, translate"
        hint="One per line: name: capability, capability @ https://url (the URL is optional)."
      />
      <SelectField
        label="Topology"
        options={TOPOLOGIES}
        value={topology}
        onChange={(value) => setTopology(value as Topology)}
      />
      <TopologyDiagram
        topology={topology}
        members={membersOf({ agents: [...agents], externalAgents }, known)}
      />
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
