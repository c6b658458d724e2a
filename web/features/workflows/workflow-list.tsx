import { Plus, Sparkles, Upload } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { importFile } from "../../api/templates.ts";
import type { Workflow, WorkflowHead } from "../../api/types.ts";
import { createWorkflow, useWorkflowMutation, useWorkflowPages, useWorkflows } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { DropArea } from "../../ui/drop-area.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { ShowMore } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { FirstRun } from "./first-run.tsx";
import { LastRun, useRecentRuns } from "./last-run.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import "./workflows.css";

const GenerateDialog = lazyComponent(() => import("../builder/generate-dialog.tsx"), "GenerateDialog");

export function WorkflowList() {
  const [, navigate] = useLocation();
  const [describing, setDescribing] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const open = (workflow: Workflow): void => navigate(`/workflows/${workflow.id}`);
  const create = useWorkflowMutation(() => createWorkflow({ name: "Untitled workflow" }), open);
  const importMutation = useWorkflowMutation(importFile, open);
  const importFrom = (file: File | undefined): void => {
    if (file !== undefined) importMutation.mutate(file, { onError: (error) => showToast(messageOf(error)) });
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
            onChange={(event) => importFrom(event.target.files?.[0])}
          />
          <button type="button" className="btn ghost wide-only" onClick={() => picker.current?.click()}>
            <Upload size={15} /> Import
          </button>
          <button type="button" className="btn" onClick={() => setDescribing(true)}>
            <Sparkles size={15} /> <span>Generate</span>
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
      <DropArea className="page drop-area" label="Your workflows" onFiles={([file]) => importFrom(file)}>
        <WorkflowLibrary />
      </DropArea>
      {describing && (
        <Suspense fallback={null}>
          <GenerateDialog onClose={() => setDescribing(false)} onCreated={open} />
        </Suspense>
      )}
    </Screen>
  );
}

function WorkflowLibrary() {
  const [search, setSearch] = useFilter("q");
  const workflows = useWorkflowPages();
  return (
    <Loaded query={workflows}>
      {(list) => {
        if (list.length === 0) return <FirstRun />;
        return (
          <>
            <input
              className="in"
              type="search"
              aria-label="Search workflows"
              placeholder="Search by name or description"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {search === "" ? (
              <>
                <WorkflowTable list={list} />
                <ShowMore list={workflows} />
              </>
            ) : (
              <SearchResults search={search.toLowerCase()} />
            )}
            <p className="small muted">Drop an exported file here to import it.</p>
          </>
        );
      }}
    </Loaded>
  );
}

/** Filters in the browser: the service has no search for workflows. */
function SearchResults({ search }: { search: string }) {
  return (
    <Loaded query={useWorkflows()}>
      {(all) => {
        const matches = all.filter(({ name, description }) =>
          `${name}\n${description}`.toLowerCase().includes(search),
        );
        return matches.length === 0 ? (
          <p className="muted">No matching workflows.</p>
        ) : (
          <WorkflowTable list={matches} />
        );
      }}
    </Loaded>
  );
}

function WorkflowTable({ list }: { list: readonly WorkflowHead[] }) {
  const recent = useRecentRuns();
  const columns: Column<WorkflowHead>[] = [
    {
      title: "Name",
      cell: ({ id, name, description, apiSettings }) => (
        <>
          <Link href={`/workflows/${id}`}>{name}</Link>{" "}
          {apiSettings.enabled && <span className="chip">endpoint</span>}
          {description !== "" && <p className="xs muted few-lines">{description}</p>}
        </>
      ),
    },
    { title: "Last run", cell: ({ id }) => <LastRun workflowId={id} recent={recent} /> },
    { title: "Updated", wideOnly: true, muted: true, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (workflow) => <WorkflowMenu workflow={workflow} />,
    },
  ];
  return <Table columns={columns} rows={list} keyOf={({ id }) => id} />;
}
