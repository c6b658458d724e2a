import { useState } from "react";
import { Link } from "wouter";
import { type Agent, deleteAgent, useAgentMutation, useAgentPages, useModels } from "../../api/agents.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { TransferMenu } from "../transfers/transfer-menu.tsx";
import { TeamTabs } from "../teams/team-tabs.tsx";
import { AgentDialog } from "./agent-dialog.tsx";

export function Agents() {
  const agents = useAgentPages();
  const models = useModels();
  const [creating, setCreating] = useState(false);
  return (
    <Screen
      title="Agents"
      actions={
        <NewButton may="createAgent" onClick={() => setCreating(true)}>
          New agent
        </NewButton>
      }
    >
      <div className="page">
        <TeamTabs />
        {models.data?.length === 0 && (
          <div className="notice wait">
            No language model is configured. You can create agents now. To run them, choose a connection in
            the agent, or set LLM_PROVIDER and restart the service.
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
                <AgentCard key={agent.id} agent={agent} />
              ))}
            </div>
          )}
        </RecordList>
      </div>
      {creating && <AgentDialog onClose={() => setCreating(false)} />}
    </Screen>
  );
}

function AgentCard({ agent }: { agent: Agent }) {
  const remove = useAgentMutation(deleteAgent);
  return (
    <article className="card pad stack tight">
      <h2>
        <Link href={`/agents/${agent.id}`}>{agent.name}</Link>
      </h2>
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
        <Link href={`/agents/${agent.id}`} className="btn tiny" aria-label={`Open ${agent.name}`}>
          Open
        </Link>
        <ConfirmButton
          className="btn tiny danger"
          label={`Delete ${agent.name}`}
          question={`Delete “${agent.name}”?`}
          consequence="Teams keep its id as an unregistered member. Workflow steps that call this agent will fail."
          confirm="Delete"
          may="deleteAgent"
          onConfirm={() => remove.mutateAsync(agent.id)}
        >
          Delete
        </ConfirmButton>
        <TransferMenu record={{ kind: "agent", id: agent.id, name: agent.name }} />
      </div>
    </article>
  );
}
