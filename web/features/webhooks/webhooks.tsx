import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Webhook } from "../../../contract/webhooks.ts";
import { call } from "../../api/client.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

export function useWebhooks() {
  return useQuery({
    queryKey: ["webhooks"],
    queryFn: () => call<{ webhooks: Webhook[] }>("/api/webhooks?limit=200"),
    select: (answer) => answer.webhooks,
  });
}

export function Webhooks() {
  const webhooks = useWebhooks();
  const names = new Map((useWorkflows().data ?? []).map(({ id, name }) => [id, name]));
  const [making, setMaking] = useState(false);
  return (
    <Screen
      title="Endpoints"
      actions={
        <button type="button" className="btn go" onClick={() => setMaking(true)}>
          <Plus size={14} /> New webhook
        </button>
      }
    >
      <div className="page">
        <EndpointTabs />
        <Loaded query={webhooks}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No webhooks yet">
                A webhook is an address that another service calls when something happens. Each call starts a
                run with what it sent.
              </Empty>
            ) : (
              <div className="card scroll-x">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Source</th>
                      <th className="wide-only">Workflow</th>
                      <th className="wide-only">Signature</th>
                      <th>State</th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((webhook) => (
                      <tr key={webhook.id}>
                        <td>
                          <Link href={`/endpoints/webhooks/${webhook.id}`}>{webhook.name}</Link>
                        </td>
                        <td>
                          <code>{webhook.source}</code>
                        </td>
                        <td className="wide-only muted">
                          {names.get(webhook.workflowId) ?? "a deleted workflow"}
                        </td>
                        <td className="wide-only muted">{webhook.signature?.scheme ?? "secret"}</td>
                        <td>
                          <span className={`chip dot ${webhook.active ? "ok" : ""}`}>
                            {webhook.active ? "on" : "off"}
                          </span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </div>
      {making && <WebhookDialog onClose={() => setMaking(false)} />}
    </Screen>
  );
}
