import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useWebhookPages, type Webhook } from "../../api/webhooks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

export function Webhooks() {
  const webhooks = useWebhookPages();
  const nameOf = useWorkflowName();
  const [making, setMaking] = useState(false);
  const columns: Column<Webhook>[] = [
    {
      title: "Name",
      cell: ({ id, name }) => <Link href={`/endpoints/webhooks/${id}`}>{name}</Link>,
    },
    { title: "Source", cell: ({ source }) => <code>{source}</code> },
    {
      title: "Workflow",
      wideOnly: true,
      muted: true,
      cell: ({ workflowId }) => nameOf(workflowId),
    },
    {
      title: "Signature",
      wideOnly: true,
      muted: true,
      cell: ({ signature }) => signature?.scheme ?? "secret",
    },
    {
      title: "State",
      cell: ({ active }) => <span className={`chip dot ${active ? "ok" : ""}`}>{active ? "on" : "off"}</span>,
    },
  ];
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
        <RecordTable
          list={webhooks}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No webhooks yet">
              A webhook is an address that another service calls when something happens. Each call starts a
              run with what it sent.
            </Empty>
          }
        />
      </div>
      {making && <WebhookDialog webhook={undefined} onClose={() => setMaking(false)} />}
    </Screen>
  );
}
