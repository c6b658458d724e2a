import type { TaskFilter } from "../api/tasks.ts";

/** The parameters of the URL of the list. `range` is a time before now; `from` and `to` are fixed. */
export const FILTER_NAMES = [
  "status",
  "workflowId",
  "trigger",
  "version",
  "error",
  "range",
  "from",
  "to",
  "minMs",
  "maxMs",
  "q",
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type RunFilter = Readonly<Partial<Record<FilterName, string>>>;

const HOUR = 3_600_000;
export const RANGES: Readonly<Record<string, { label: string; ms: number }>> = {
  "1h": { label: "Last hour", ms: HOUR },
  "24h": { label: "Last 24 hours", ms: 24 * HOUR },
  "7d": { label: "Last 7 days", ms: 7 * 24 * HOUR },
  "30d": { label: "Last 30 days", ms: 30 * 24 * HOUR },
};

export function readFilter(search: URLSearchParams): RunFilter {
  return Object.fromEntries(
    FILTER_NAMES.map((name) => [name, search.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
}

/** The filter of the request: a range becomes the time at which it begins. Tests of single steps are listed by their trigger only. */
export function taskFilterOf({ range, ...filter }: RunFilter, now: number): TaskFilter {
  const ms = range === undefined ? undefined : RANGES[range]?.ms;
  return {
    ...filter,
    ...(filter.trigger === undefined && { stepTests: "false" }),
    ...(ms !== undefined && { from: new Date(now - ms).toISOString() }),
  };
}

/** What a removable chip says: the name of the filter and its value. */
export interface FilterChip {
  names: readonly FilterName[];
  label: string;
  value: string;
}

interface Words {
  workflowName: (id: string) => string;
  triggerTitle: (trigger: string) => string;
  dateTime: (iso: string) => string;
  duration: (ms: number) => string;
}

/** The active filters except status and text, which have their own controls. */
export function chipsOf(filter: RunFilter, words: Words): FilterChip[] {
  const chips: FilterChip[] = [];
  const { range, from, to, workflowId, trigger, version, error, minMs, maxMs } = filter;
  const rangeLabel = range === undefined ? undefined : RANGES[range]?.label;
  if (rangeLabel !== undefined) chips.push({ names: ["range"], label: "Time", value: rangeLabel });
  if (from !== undefined || to !== undefined)
    chips.push({
      names: ["from", "to"],
      label: "Time",
      value: [
        from === undefined ? "" : `from ${words.dateTime(from)}`,
        to === undefined ? "" : `until ${words.dateTime(to)}`,
      ]
        .filter(Boolean)
        .join(" "),
    });
  if (workflowId !== undefined)
    chips.push({ names: ["workflowId"], label: "Workflow", value: words.workflowName(workflowId) });
  if (trigger !== undefined)
    chips.push({ names: ["trigger"], label: "Trigger", value: words.triggerTitle(trigger) });
  if (version !== undefined) chips.push({ names: ["version"], label: "Version", value: `v${version}` });
  if (error !== undefined) chips.push({ names: ["error"], label: "Error", value: error });
  if (minMs !== undefined)
    chips.push({ names: ["minMs"], label: "Longer than", value: words.duration(Number(minMs)) });
  if (maxMs !== undefined)
    chips.push({ names: ["maxMs"], label: "Shorter than", value: words.duration(Number(maxMs)) });
  return chips;
}
