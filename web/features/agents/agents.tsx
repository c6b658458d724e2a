import { useState } from "react";
import { type Agent, deleteAgent, useAgentMutation, useAgentPages, useModels } from "../../api/agents.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { TeamTabs } from "../teams/team-tabs.tsx";
import { AgentDialog } from "./agent-dialog.tsx";

export function Agents() {
  const agents = useAgentPages();
  const models = useModels();
  const [editing, setEditing] = useState<Agent | "new">();
  return (
    <Screen title="Agents" actions={<NewButton onClick={() => setEditing("new")}>New agent</NewButton>}>
      <div className="page">
        <TeamTabs />
        {models.data?.length === 0 && (
          <div className="notice wait">
            No language model is configured. You can create agents now; to run them, set LLM_PROVIDER and
            restart the service.
          </div>
        )}
        <RecordList
          list={agents}
          empty={
            <Empty title="No agents yet">
              An agent is a language model with instructions, capabilities and access to the workflows and
              documents you choose.
            </Empty>
          }
        >
          {(list) => (
            <div className="grid">
              {list.map((agent) => (
                <AgentCard key={agent.id} agent={agent} onEdit={() => setEditing(agent)} />
              ))}
            </div>
          )}
        </RecordList>
      </div>
      {editing !== undefined && (
        <AgentDialog agent={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </Screen>
  );
}

function AgentCard({ agent, onEdit }: { agent: Agent; onEdit: () => void }) {
  const remove = useAgentMutation(deleteAgent);
  return (
    <article className="card pad stack tight">
      <h2>{agent.name}</h2>
      <p className="small muted">{agent.role || agent.description || "No role"}</p>
      <div className="row wrap">
        {agent.capabilities.map((capability) => (
          <span key={capability} className="chip">
            {capability}
          </span>
        ))}
      </div>
      <p className="xs muted">
        {agent.model ?? "default model"} · {agent.tools.workflows.length} workflows ·{" "}
        {agent.tools.documents.length} documents
      </p>
      <div className="row">
        <button type="button" className="btn tiny" onClick={onEdit} aria-label={`Edit ${agent.name}`}>
          Edit
        </button>
        <ConfirmButton
          className="btn tiny danger"
          label={`Delete ${agent.name}`}
          question={`Delete “${agent.name}”?`}
          consequence="Teams keep its id as an unregistered member. Workflow steps that call this agent will fail."
          confirm="Delete"
          onConfirm={() => remove.mutateAsync(agent.id)}
        >
          Delete
        </ConfirmButton>
      </div>
    </article>
  );
}
