import type { PagedList } from "../../api/pages.ts";
import { type ApiKey, revokeKey, useKeyMutation } from "../../api/keys.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { dateTime, until } from "../../ui/time.ts";
import { scopeLabel } from "./api-key-scopes.ts";

export function KeyTable({ keys }: { keys: PagedList<ApiKey> }) {
  const revoke = useKeyMutation(revokeKey);
  const columns: Column<ApiKey>[] = [
    {
      title: "Name",
      cell: (key) => (
        <>
          <b className="breakable">{key.name || "Unnamed"}</b>
          <div className="xs muted">
            <code>{key.prefix}…</code>
          </div>
        </>
      ),
    },
    { title: "Acts as", wideOnly: true, cell: actorOf },
    { title: "Scopes", cell: (key) => <Scopes apiKey={key} /> },
    { title: "Last used", wideOnly: true, cell: (key) => <LastUse apiKey={key} /> },
    { title: "Expires", wideOnly: true, cell: (key) => <Expiry apiKey={key} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (key) =>
        key.revokedAt === null ? (
          <ConfirmButton
            className="btn tiny danger"
            question={`Revoke “${key.name || key.prefix}”?`}
            consequence="Requests with this key are refused from now on. A revoked key cannot be restored."
            confirm="Revoke key"
            onConfirm={() => revoke.mutateAsync(key.id)}
          >
            Revoke
          </ConfirmButton>
        ) : (
          <span className="chip">Revoked</span>
        ),
    },
  ];
  return (
    <RecordTable
      list={keys}
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <Empty title="No API keys yet">
          An API key lets a program use what its scopes name. Create one for each program and revoke it when
          it is no longer needed.
        </Empty>
      }
    />
  );
}

function actorOf({ serviceAccount, createdBy }: ApiKey) {
  if (serviceAccount !== null)
    return (
      <>
        {serviceAccount.name ?? "Deleted service account"}
        <div className="xs muted">Service account</div>
      </>
    );
  return createdBy === null ? "Creator" : (createdBy.name ?? "Deleted account");
}

/** What the key allows, and to what it is limited. */
function Scopes({ apiKey: { scopes, workflowIds, addresses } }: { apiKey: ApiKey }) {
  const nameOf = useWorkflowName();
  return (
    <>
      <div>{scopes.map(scopeLabel).join(", ")}</div>
      {workflowIds !== null && (
        <div className="xs muted breakable">Only {workflowIds.map(nameOf).join(", ")}</div>
      )}
      {addresses !== null && <div className="xs muted breakable">Only from {addresses.join(", ")}</div>}
    </>
  );
}

function LastUse({ apiKey: { lastUsedAt, lastUsedFrom } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <span className="muted">Never</span>;
  return (
    <>
      <Ago at={lastUsedAt} />
      {lastUsedFrom !== null && <div className="xs muted nowrap">from {lastUsedFrom}</div>}
    </>
  );
}

function Expiry({ apiKey: { expiresAt, revokedAt } }: { apiKey: ApiKey }) {
  if (expiresAt === null) return <span className="muted">Never</span>;
  if (revokedAt === null && Date.parse(expiresAt) <= Date.now())
    return <span className="chip wait">Expired</span>;
  return (
    <time className="nowrap" dateTime={expiresAt} title={dateTime(expiresAt)}>
      {until(expiresAt)}
    </time>
  );
}
