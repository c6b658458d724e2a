import { useState } from "react";
import { useLocation } from "wouter";
import { createTeam, type Topology, useAgents, useTeamChange } from "../../api/teams.ts";
import { ChooseMany } from "../../ui/choose-many.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { Invitation } from "./invitation.tsx";
import { membersOf } from "./members.ts";
import { TopologyPicture } from "./topology-picture.tsx";

const TOPOLOGIES: Record<Topology, string> = {
  mesh: "Mesh: all hear all",
  hierarchical: "Hierarchy: the first leads and delegates",
  linear: "Line: each hands on to the next",
};

/** `summarizer: summarize, translate`, one agent a line. */
function readExternal(text: string): { name: string; capabilities: string[] }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", words = ""] = line.split(/:(.*)/s);
      return {
        name: name.trim(),
        capabilities: words
          .split(",")
          .map((word) => word.trim())
          .filter((word) => word !== ""),
      };
    });
}

export function TeamDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const known = useAgents().data ?? [];
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [agents, setAgents] = useState<readonly string[]>([]);
  const [external, setExternal] = useState("");
  const [topology, setTopology] = useState<Topology>("mesh");
  const externalAgents = readExternal(external);
  const create = useTeamChange(() =>
    createTeam({ name, description, agents: [...agents], externalAgents, topology }),
  );
  const team = create.data;
  if (team !== undefined)
    return (
      <Dialog title={`“${team.name}” is ready`} onClose={() => go(`/teams/${team.id}`)}>
        <Invitation team={team} secret={team.a2aSecret} />
        <div className="actions">
          <button type="button" className="btn go" onClick={() => go(`/teams/${team.id}`)}>
            I have kept it
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="New team" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(undefined);
        }}
      >
        <TextField label="Name" required value={name} onChange={setName} placeholder="Research squad" />
        <TextField label="What it is for" value={description} onChange={setDescription} />
        <ChooseMany
          label="Your agents"
          options={known.map((agent) => ({ value: agent.id, label: agent.name }))}
          chosen={agents}
          onChange={setAgents}
        />
        <TextField
          label="Agents from outside"
          rows={2}
          value={external}
          onChange={setExternal}
          placeholder="summarizer: summarize, translate"
          hint="One a line: its name, a colon, what it can do."
        />
        <Field label="How they work together">
          {(ids) => (
            <select
              className="in"
              {...ids}
              value={topology}
              onChange={(event) => setTopology(event.target.value as Topology)}
            >
              {Object.entries(TOPOLOGIES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TopologyPicture
          topology={topology}
          members={membersOf({ agents: [...agents], externalAgents }, known)}
        />
        {create.error !== null && <Failure error={create.error} />}
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            Make the team
          </button>
        </div>
      </form>
    </Dialog>
  );
}
