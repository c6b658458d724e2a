import { useState } from "react";
import { Link } from "wouter";
import { useWebhookPages, type Webhook } from "../../api/webhooks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

export function Webhooks() {
  const webhooks = useWebhookPages();
  const nameOf = useWorkflowName();
  const [creating, setCreating] = useState(false);
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
      cell: ({ signature }) => signature?.scheme ?? "secret only",
    },
    {
      title: "Status",
      cell: ({ active }) => (
        <span className={`chip dot ${active ? "ok" : ""}`}>{active ? "active" : "paused"}</span>
      ),
    },
  ];
  return (
    <Screen title="Endpoints" actions={<NewButton onClick={() => setCreating(true)}>New webhook</NewButton>}>
      <div className="page">
        <EndpointTabs />
        <RecordTable
          list={webhooks}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No webhooks yet">
              A webhook is a URL that another service calls when something happens. Each call starts a run
              with its payload as input.
            </Empty>
          }
        />
      </div>
      {creating && <WebhookDialog webhook={undefined} onClose={() => setCreating(false)} />}
    </Screen>
  );
}
