import { useState } from "react";
import { useLocation } from "wouter";
import { createAgent, useAgentMutation } from "../../api/agents.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Creates an agent and opens its playground, where the rest is configured and tried. */
export function AgentDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const [systemPrompt, setSystemPrompt] = useState("");
  const create = useAgentMutation(
    () => createAgent({ name, role, systemPrompt }),
    ({ id }) => navigate(`/agents/${id}`),
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
