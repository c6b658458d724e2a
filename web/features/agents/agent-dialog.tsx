import { useState } from "react";
import { useLocation } from "wouter";
import { type Agent, createAgent, useAgentMutation } from "../../api/agents.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface AgentDialogProps {
  /** Without it, the playground of the agent opens, where the rest is configured and tried. */
  onCreated?: (agent: Agent) => void;
  onClose: () => void;
}

export function AgentDialog({ onCreated, onClose }: AgentDialogProps) {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const [systemPrompt, setSystemPrompt] = useState("");
  const create = useAgentMutation(
    () => createAgent({ name, role, systemPrompt }),
    (agent) => (onCreated === undefined ? navigate(`/agents/${agent.id}`) : onCreated(agent)),
  );
  return (
    <FormDialog title="New agent" onClose={onClose} action={create} submit="Create agent">
      <TextField label="Name" required value={name} onChange={setName} placeholder="Researcher" />
      <TextField
        label="Role"
        value={role}
        onChange={setRole}
        placeholder="Finds facts and cites their sources"
      />
      <TextField label="Instructions" rows={4} value={systemPrompt} onChange={setSystemPrompt} />
    </FormDialog>
  );
}
