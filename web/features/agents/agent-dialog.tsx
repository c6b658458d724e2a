import { useState } from "react";
import { type Agent, createAgent, updateAgent, useAgentMutation } from "../../api/agents.ts";
import { useDocuments } from "../../api/documents.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { splitCommas } from "../../ui/split-commas.ts";

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
      capabilities: splitCommas(capabilities),
      model: model === "" ? null : model,
      tools: { workflows: [...workflows], documents: [...documents] },
    };
    await (agent === undefined ? createAgent(body) : updateAgent(agent.id, body));
  }, onClose);
  return (
    <FormDialog
      title={agent === undefined ? "New agent" : `Edit “${agent.name}”`}
      onClose={onClose}
      action={save}
      submit="Save"
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Researcher" />
      <TextField
        label="Role"
        value={role}
        onChange={setRole}
        placeholder="Finds facts and cites their sources"
      />
      <TextField
        label="Capabilities"
        value={capabilities}
        onChange={setCapabilities}
        hint="Comma-separated. Workflow steps and other agents find this agent by them."
        placeholder="research, summarize"
      />
      <TextField label="Instructions" rows={4} value={systemPrompt} onChange={setSystemPrompt} />
      <TextField
        label="Model"
        value={model}
        onChange={setModel}
        hint="Optional. Uses the configured model by default."
      />
      <CheckboxList
        label="Workflows it may run"
        options={(useWorkflows().data ?? []).map((item) => ({ value: item.id, label: item.name }))}
        selected={workflows}
        onChange={setWorkflows}
      />
      <CheckboxList
        label="Documents it may search"
        options={(useDocuments().data ?? []).map((item) => ({ value: item.document_id, label: item.title }))}
        selected={documents}
        onChange={setDocuments}
      />
    </FormDialog>
  );
}
