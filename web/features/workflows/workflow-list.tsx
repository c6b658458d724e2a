import { Plus, Sparkles, Upload } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { messageOf } from "../../api/client.ts";
import type { Workflow } from "../../api/types.ts";
import { createWorkflow, importFile, useWorkflowChange, useWorkflowPages } from "../../api/workflows.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { loadPart } from "../../ui/load-part.ts";
import { ShowMore } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ago } from "../../ui/time.ts";
import { say } from "../../ui/toasts.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { FirstRun } from "./first-run.tsx";
import { LastRun, useRecentRuns } from "./last-run.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import "./workflows.css";

const DescribeDialog = loadPart(() => import("../builder/describe-dialog.tsx"), "DescribeDialog");

export function WorkflowList() {
  const [, go] = useLocation();
  const [describing, setDescribing] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const open = (workflow: Workflow): void => go(`/workflows/${workflow.id}`);
  const create = useWorkflowChange(() => createWorkflow({ name: "Untitled workflow" }), open);
  const bring = useWorkflowChange(importFile, open);
  const take = (file: File | undefined): void => {
    if (file !== undefined) bring.mutate(file, { onError: (error) => say(messageOf(error)) });
  };

  return (
    <Screen
      title="Workflows"
      actions={
        <>
          <input
            ref={picker}
            type="file"
            accept="application/json,.json"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="Workflow file"
            onChange={(event) => take(event.target.files?.[0])}
          />
          <button type="button" className="btn ghost wide-only" onClick={() => picker.current?.click()}>
            <Upload size={15} /> Import
          </button>
          <button type="button" className="btn" onClick={() => setDescribing(true)}>
            <Sparkles size={15} /> <span>Describe it</span>
          </button>
          <button
            type="button"
            className="btn go"
            disabled={create.isPending}
            onClick={() => create.mutate(undefined)}
          >
            <Plus size={15} /> <span>New</span>
          </button>
        </>
      }
    >
      <DropArea className="page drop-area" label="Your workflows" onFiles={([file]) => take(file)}>
        <Library />
      </DropArea>
      {describing && (
        <Suspense fallback={null}>
          <DescribeDialog onClose={() => setDescribing(false)} onKept={open} />
        </Suspense>
      )}
    </Screen>
  );
}

/** Searched by name, which the service does not do: while something is looked for, the rest of the list is fetched. */
function Library() {
  const [wanted, setWanted] = useFilter("q");
  const workflows = useWorkflowPages();
  const recent = useRecentRuns();
  const { hasMore, isLoadingMore, loadMore, error } = workflows;
  const isSearching = wanted !== "" && hasMore && error === null;
  useEffect(() => {
    if (isSearching && !isLoadingMore) loadMore();
  });
  const columns: Column<Workflow>[] = [
    {
      title: "Name",
      cell: (workflow) => (
        <>
          <Link href={`/workflows/${workflow.id}`}>{workflow.name}</Link>{" "}
          {workflow.apiSettings.enabled && <span className="chip">endpoint on</span>}
        </>
      ),
    },
    { title: "Steps", wideOnly: true, muted: true, cell: ({ metadata }) => metadata.steps.length },
    { title: "Last run", cell: ({ id }) => <LastRun workflowId={id} recent={recent} /> },
    { title: "Changed", wideOnly: true, muted: true, cell: ({ updatedAt }) => ago(updatedAt) },
    {
      title: "Actions",
      untitled: true,
      actions: true,
      cell: (workflow) => <WorkflowMenu workflow={workflow} />,
    },
  ];
  return (
    <Loaded query={workflows}>
      {(list) => {
        if (list.length === 0) return <FirstRun />;
        const found = list.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
        return (
          <>
            <input
              className="in"
              type="search"
              aria-label="Search workflows"
              placeholder="Search by name"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
            {found.length > 0 && <Table columns={columns} rows={found} keyOf={({ id }) => id} />}
            {found.length === 0 && (
              <p className="muted">{isSearching ? "Looking …" : "No workflow has that name."}</p>
            )}
            <ShowMore list={workflows} />
            <p className="small muted">Drop an exported file anywhere here to import it.</p>
          </>
        );
      }}
    </Loaded>
  );
}
