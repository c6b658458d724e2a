import { Plus } from "lucide-react";
import { useState } from "react";
import { type Agent, deleteAgent, useAgentMutation, useAgentPages, useModels } from "../../api/agents.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { TeamTabs } from "../teams/team-tabs.tsx";
import { AgentDialog } from "./agent-dialog.tsx";

export function Agents() {
  const agents = useAgentPages();
  const models = useModels();
  const [editing, setEditing] = useState<Agent | "new">();
  const remove = useAgentMutation(deleteAgent);
  return (
    <Screen
      title="Agents"
      actions={
        <button type="button" className="btn go" onClick={() => setEditing("new")}>
          <Plus size={14} /> New agent
        </button>
      }
    >
      <div className="page">
        <TeamTabs />
        {models.data?.length === 0 && (
          <div className="notice wait">
            No language model is configured yet. Agents can be made now; they answer once LLM_PROVIDER is set
            and the service is started again.
          </div>
        )}
        <RecordList
          list={agents}
          empty={
            <Empty title="No agents yet">
              An agent is a role with a model behind it: what it is for, what it can do, and which of your
              workflows and documents it may use.
            </Empty>
          }
        >
          {(list) => (
            <div className="grid">
              {list.map((agent) => (
                <article key={agent.id} className="card pad stack tight">
                  <h2>{agent.name}</h2>
                  <p className="small muted">{agent.role || agent.description || "No role given"}</p>
                  <div className="row wrap">
                    {agent.capabilities.map((word) => (
                      <span key={word} className="chip">
                        {word}
                      </span>
                    ))}
                  </div>
                  <p className="xs muted">
                    {agent.model ?? "default model"} · {agent.tools.workflows.length} workflows ·{" "}
                    {agent.tools.documents.length} documents
                  </p>
                  <div className="row">
                    <button
                      type="button"
                      className="btn tiny"
                      onClick={() => setEditing(agent)}
                      aria-label={`Edit ${agent.name}`}
                    >
                      Edit
                    </button>
                    <ConfirmButton
                      className="btn tiny danger"
                      label={`Delete ${agent.name}`}
                      question={`Delete “${agent.name}”?`}
                      consequence="Teams keep a place under its id; steps that call it fail until another takes over."
                      confirm="Delete"
                      act={() => remove.mutateAsync(agent.id)}
                    >
                      Delete
                    </ConfirmButton>
                  </div>
                </article>
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
