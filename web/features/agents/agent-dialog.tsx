import { useState } from "react";
import { type Agent, createAgent, updateAgent, useAgentMutation } from "../../api/agents.ts";
import { useDocuments } from "../../api/documents.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { ChooseMany } from "../../ui/choose-many.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { wordsOf } from "../../ui/words.ts";

export function AgentDialog({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const [name, setName] = useState(agent?.name ?? "");
  const [role, setRole] = useState(agent?.role ?? "");
  const [capabilities, setCapabilities] = useState(agent?.capabilities.join(", ") ?? "");
  const [systemPrompt, setSystemPrompt] = useState(agent?.systemPrompt ?? "");
  const [model, setModel] = useState(agent?.model ?? "");
  const [workflows, setWorkflows] = useState<readonly string[]>(agent?.tools.workflows ?? []);
  const [documents, setDocuments] = useState<readonly string[]>(agent?.tools.documents ?? []);
  const save = useAgentMutation(async () => {
    const body = {
      name,
      role,
      systemPrompt,
      capabilities: wordsOf(capabilities),
      model: model === "" ? null : model,
      tools: { workflows: [...workflows], documents: [...documents] },
    };
    await (agent === undefined ? createAgent(body) : updateAgent(agent.id, body));
  }, onClose);
  return (
    <FormDialog
      title={agent === undefined ? "New agent" : agent.name}
      onClose={onClose}
      action={save}
      submit="Save"
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Researcher" />
      <TextField
        label="Role"
        value={role}
        onChange={setRole}
        placeholder="Finds facts and names where they stand"
      />
      <TextField
        label="Capabilities"
        value={capabilities}
        onChange={setCapabilities}
        hint="Words with commas between: steps and other agents find it by these."
        placeholder="research, summarize"
      />
      <TextField label="How it should work" rows={4} value={systemPrompt} onChange={setSystemPrompt} />
      <TextField label="Model" value={model} onChange={setModel} hint="Empty: the configured one." />
      <ChooseMany
        label="Workflows it may run"
        options={(useWorkflows().data ?? []).map((one) => ({ value: one.id, label: one.name }))}
        chosen={workflows}
        onChange={setWorkflows}
      />
      <ChooseMany
        label="Documents it may ask"
        options={(useDocuments().data ?? []).map((one) => ({ value: one.document_id, label: one.title }))}
        chosen={documents}
        onChange={setDocuments}
      />
    </FormDialog>
  );
}
