import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useTaskPages } from "../../api/tasks.ts";
import type { TaskSummary } from "../../api/types.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { taskFilterOf } from "../../flow/run-filter.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { dateTime, duration, startTime } from "../../ui/time.ts";
import { WorkflowsLink } from "../workflows/workflows-link.tsx";
import { RunCharts } from "./run-charts.tsx";
import { RunFilters } from "./run-filters.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { TRIGGER_TITLES } from "./trigger-titles.ts";
import { useRunFilter } from "./use-run-filter.ts";
import "./runs.css";
import "./run-list.css";

interface ListState {
  filter: string;
  /** The newest run that is shown. */
  newest: string | undefined;
  selected: readonly string[];
}

export function RunList() {
  const [filter, setFilter] = useRunFilter();
  const filterKey = JSON.stringify(filter);
  // A relative time is fixed when the filter changes; otherwise every render would be another request.
  const taskFilter = useMemo(() => taskFilterOf(filter, Date.now()), [filter]);
  const list = useTaskPages(taskFilter);
  const blank: ListState = { filter: filterKey, newest: undefined, selected: [] };
  const [state, setState] = useState(blank);
  const { newest, selected } = state.filter === filterKey ? state : blank;
  const setSelected = (ids: readonly string[]): void =>
    setState({ filter: filterKey, newest, selected: ids });
  // Rows do not move while someone reads them: newer runs are announced and shown on request.
  const first = list.data?.[0]?.id;
  if (newest === undefined && first !== undefined) setState({ ...blank, newest: first, selected });
  const shown = list.data?.filter(({ id }) => newest === undefined || id <= newest);
  const fresh = (list.data?.length ?? 0) - (shown?.length ?? 0);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Screen
      title="Runs"
      titleInfo={
        fresh > 0 && (
          <button
            type="button"
            className="btn ghost tiny run-new"
            onClick={() => setState({ filter: filterKey, newest: first, selected })}
          >
            {fresh} new
          </button>
        )
      }
    >
      <div className="page">
        <RunFilters filter={filter} taskFilter={taskFilter} onChange={setFilter} />
        <RunCharts filter={filter} onChange={setFilter} />
        <RecordTable
          list={{ ...list, data: shown }}
          columns={useColumns(selected, setSelected)}
          keyOf={({ id }) => id}
          empty={
            list.hasMore ? (
              <p className="small muted">No match among the newest runs.</p>
            ) : (
              <Empty
                title={isFiltered ? "No matching runs" : "No runs yet"}
                action={!isFiltered && <WorkflowsLink />}
              >
                {isFiltered
                  ? "Remove a filter or choose another status."
                  : "Open a workflow and press Run. Every run is listed here with all of its steps."}
              </Empty>
            )
          }
        />
      </div>
      {selected.length > 0 && (
        <SelectionBar
          ids={selected}
          tasks={(shown ?? []).filter(({ id }) => selected.includes(id))}
          onSelect={setSelected}
        />
      )}
    </Screen>
  );
}

function useColumns(
  selected: readonly string[],
  onSelect: (ids: readonly string[]) => void,
): Column<TaskSummary>[] {
  const nameOf = useWorkflowName();
  return [
    {
      title: "Select",
      hideTitle: true,
      wideOnly: true,
      cell: ({ id }) => (
        <input
          type="checkbox"
          aria-label={`Select run ${runLabel(id)}`}
          checked={selected.includes(id)}
          onChange={() =>
            onSelect(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id])
          }
        />
      ),
    },
    {
      title: "Run",
      wideOnly: true,
      cell: ({ id }) => (
        <Link href={`/runs/${id}`} className="mono small" aria-label={`Run ${runLabel(id)}`}>
          {runLabel(id)}
        </Link>
      ),
    },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    {
      title: "Workflow",
      cell: ({ id, workflowId, error }) => (
        <>
          <Link href={`/runs/${id}`} className="run-workflow few-lines">
            {nameOf(workflowId)}
          </Link>
          {error !== null && <p className="xs few-lines breakable run-error">{error.message}</p>}
        </>
      ),
    },
    {
      title: "Trigger",
      wideOnly: true,
      muted: true,
      cell: ({ trigger }) => TRIGGER_TITLES[trigger] ?? trigger,
    },
    {
      title: "Version",
      wideOnly: true,
      muted: true,
      cell: ({ workflowVersion }) => versionLabel(workflowVersion),
    },
    {
      title: "Started",
      muted: true,
      cell: ({ createdAt }) => (
        <time className="run-started" dateTime={createdAt} title={dateTime(createdAt)}>
          {startTime(createdAt)}
        </time>
      ),
    },
    { title: "Duration", wideOnly: true, muted: true, cell: durationOf },
  ];
}

function durationOf({ startedAt, completedAt }: TaskSummary): string {
  return startedAt === null || completedAt === null
    ? ""
    : duration(Date.parse(completedAt) - Date.parse(startedAt));
}
