import { Plus, Search, X } from "lucide-react";
import type { TaskFilter } from "../../api/tasks.ts";
import { useTaskCounts } from "../../api/tasks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { chipsOf, RANGES, type RunFilter } from "../../flow/run-filter.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Segments } from "../../ui/segments.tsx";
import { duration, shortDateTime } from "../../ui/time.ts";
import { formatCount } from "../../ui/tokens.ts";
import { useSettledText } from "../../ui/use-settled-text.ts";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";
import { TRIGGER_TITLES } from "./trigger-titles.ts";

interface RunFiltersProps {
  filter: RunFilter;
  taskFilter: TaskFilter;
  onChange: (next: RunFilter) => void;
}

/** Search, active filters as chips, a menu for more, and the statuses with their counts. */
export function RunFilters({ filter, taskFilter, onChange }: RunFiltersProps) {
  const workflowName = useWorkflowName();
  const chips = chipsOf(filter, {
    workflowName,
    triggerTitle: (trigger) => TRIGGER_TITLES[trigger] ?? trigger,
    dateTime: shortDateTime,
    duration,
  });
  return (
    <div className="run-filters">
      <SearchField value={filter.q ?? ""} onChange={(q) => onChange({ q })} />
      {chips.map(({ names, label, value }) => (
        <span key={label} className="filter-chip">
          <span className="muted">{label}</span> <span className="ellipsis">{value}</span>
          <button
            type="button"
            aria-label={`Remove filter ${label}`}
            onClick={() => onChange(Object.fromEntries(names.map((name) => [name, ""])))}
          >
            <X size={13} />
          </button>
        </span>
      ))}
      <MoreFilters filter={filter} onChange={onChange} />
      <span className="grow" />
      <StatusSegments filter={filter} taskFilter={taskFilter} onChange={onChange} />
    </div>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useSettledText(value, onChange);
  return (
    <span className="run-search">
      <Search size={14} aria-hidden />
      <input
        className="in"
        type="search"
        aria-label="Search runs"
        placeholder="Run number, workflow or error"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}

const ALL = "all";
const STATUS_GROUPS = [
  { value: ALL, label: "All", statuses: undefined },
  { value: "failed", label: "Failed", statuses: ["failed"] },
  { value: "queued,running", label: "Running", statuses: ["queued", "running"] },
  { value: "waiting,waiting_approval", label: "Waiting", statuses: ["waiting", "waiting_approval"] },
  { value: "completed", label: "Completed", statuses: ["completed"] },
  { value: "cancelled,rejected", label: "Canceled", statuses: ["cancelled", "rejected"] },
] as const;

function StatusSegments({ filter, taskFilter, onChange }: RunFiltersProps) {
  const counted = useTaskCounts(taskFilter);
  const countOf = (statuses: readonly string[] | undefined): string => {
    if (counted === undefined) return "";
    const entries = Object.entries(counted.counts).filter(([status]) => statuses?.includes(status) ?? true);
    const sum = entries.reduce((total, [, count]) => total + count, 0);
    const isMore = counted.atLeast.some((status) => statuses?.includes(status) ?? true);
    return ` ${formatCount(sum)}${isMore ? "+" : ""}`;
  };
  return (
    <Segments
      label="Status"
      value={filter.status ?? ALL}
      onChange={(status) => onChange({ status: status === ALL ? "" : status })}
      options={STATUS_GROUPS.map(({ value, label, statuses }) => ({
        value,
        label: (
          <>
            {label}
            <span className="muted">{countOf(statuses)}</span>
          </>
        ),
      }))}
    />
  );
}

function MoreFilters({ filter, onChange }: Pick<RunFiltersProps, "filter" | "onChange">) {
  const seconds = (ms: string | undefined): string => (ms === undefined ? "" : String(Number(ms) / 1000));
  const toMs = (text: string): string =>
    text === "" || Number.isNaN(Number(text)) ? "" : String(Number(text) * 1000);
  return (
    <Popover
      label="Filters"
      align="start"
      className="filter-popover"
      trigger={
        <button type="button" className="btn ghost">
          <Plus size={14} /> Filter
        </button>
      }
    >
      <div className="stack">
        <SelectField
          label="Time"
          emptyOption="Any time"
          value={filter.range ?? ""}
          onChange={(range) => onChange({ range, from: "", to: "" })}
          options={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
        />
        <div className="side-by-side">
          <TextField
            label="From"
            type="datetime-local"
            value={toLocal(filter.from)}
            onChange={(from) => onChange({ from: toIso(from), range: "" })}
          />
          <TextField
            label="Until"
            type="datetime-local"
            value={toLocal(filter.to)}
            onChange={(to) => onChange({ to: toIso(to), range: "" })}
          />
        </div>
        <WorkflowSelect
          emptyOption="All"
          value={filter.workflowId ?? ""}
          onChange={(workflowId) => onChange({ workflowId })}
        />
        <div className="side-by-side">
          <SelectField
            label="Trigger"
            emptyOption="All"
            value={filter.trigger ?? ""}
            onChange={(trigger) => onChange({ trigger })}
            options={Object.entries(TRIGGER_TITLES).map(([value, label]) => ({
              value,
              label: label ?? value,
            }))}
          />
          <TextField
            label="Version"
            type="number"
            value={filter.version ?? ""}
            onChange={(version) => onChange({ version })}
          />
        </div>
        <TextField label="Error" value={filter.error ?? ""} onChange={(error) => onChange({ error })} />
        <div className="side-by-side">
          <TextField
            label="Longer than (s)"
            type="number"
            value={seconds(filter.minMs)}
            onChange={(text) => onChange({ minMs: toMs(text) })}
          />
          <TextField
            label="Shorter than (s)"
            type="number"
            value={seconds(filter.maxMs)}
            onChange={(text) => onChange({ maxMs: toMs(text) })}
          />
        </div>
      </div>
    </Popover>
  );
}

/** A time of the URL as the field shows it, in the time zone of the user. */
function toLocal(iso: string | undefined): string {
  if (iso === undefined || Number.isNaN(Date.parse(iso))) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toIso(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
