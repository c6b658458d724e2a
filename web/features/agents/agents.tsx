import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Model } from "../../../contract/models.ts";
import { call } from "../../api/client.ts";
import { type Agent, useAgents, useTeamChange } from "../../api/teams.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { TeamTabs } from "../teams/team-tabs.tsx";
import { AgentDialog } from "./agent-dialog.tsx";

export function Agents() {
  const agents = useAgents();
  const models = useQuery({
    queryKey: ["models"],
    queryFn: () => call<{ models: Model[] }>("/api/models"),
    select: (answer) => answer.models,
  });
  const [editing, setEditing] = useState<Agent | "new">();
  const remove = useTeamChange((id: string) => call(`/api/agents/${id}`, { method: "DELETE" }));
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
        {remove.error !== null && <Failure error={remove.error} />}
        <Loaded query={agents}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No agents yet">
                An agent is a role with a model behind it: what it is for, what it can do, and which of your
                workflows and documents it may use.
              </Empty>
            ) : (
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
                      <button
                        type="button"
                        className="btn tiny danger"
                        onClick={() => remove.mutate(agent.id)}
                        aria-label={`Delete ${agent.name}`}
                      >
                        Delete
                      </button>
                    </div>
                  </article>
                ))}
              </div>
            )
          }
        </Loaded>
      </div>
      {editing !== undefined && (
        <AgentDialog agent={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </Screen>
  );
}
