import type { LogEntry } from "../../contract/teams.ts";

export interface ToolLine {
  kind: "tool";
  seq: number;
  from: LogEntry["from"];
  sentence: string;
  status: "running" | "completed" | "failed";
  /** A few words about the result. */
  summary: string;
  taskId: string | undefined;
  input: unknown;
  output: unknown;
}

export type RoomItem = { kind: "message"; seq: number; entry: LogEntry } | ToolLine;

/** The log as people read it: a tool call and its result are one sentence. */
export function toRoomItems(entries: readonly LogEntry[]): RoomItem[] {
  const items: RoomItem[] = [];
  const openCalls = new Map<string, number>();
  for (const entry of entries) {
    const { type, content, from, seq } = entry;
    const key = `${from.id} ${String(content["callId"])}`;
    const tool = content["tool"];
    if (type === "tool_call" && typeof tool === "string") {
      openCalls.set(key, items.length);
      items.push({
        kind: "tool",
        seq,
        from,
        sentence: sentenceOf(tool, content["input"]),
        status: "running",
        summary: "",
        taskId: undefined,
        input: content["input"],
        output: null,
      });
      continue;
    }
    const at = type === "tool_result" ? openCalls.get(key) : undefined;
    const call = at === undefined ? undefined : items[at];
    if (at === undefined || call?.kind !== "tool") {
      items.push({ kind: "message", seq, entry });
      continue;
    }
    openCalls.delete(key);
    const { output, failed } = content;
    items[at] = {
      ...call,
      status: failed === true ? "failed" : "completed",
      sentence: failed === true ? failedSentence(call.sentence) : call.sentence,
      output,
      summary: failed === true ? String(output) : summaryOf(resultOf(output)),
      taskId: field(output, "taskId"),
    };
  }
  return items;
}

/** `run_refund_report` is the tool of the workflow “Refund report”. */
export function toolTitle(tool: string): string {
  const words = tool.replace(/^run_/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sentenceOf(tool: string, input: unknown): string {
  if (tool !== "ask_documents") return `Ran ${toolTitle(tool)}`;
  const query = field(input, "query");
  return query === undefined ? "Searched the documents" : `Searched the documents for “${query}”`;
}

/** "Ran Refund report" → "Could not run Refund report": it may not have begun. */
function failedSentence(sentence: string): string {
  return sentence.replace(/^Ran/, "Could not run").replace(/^Searched/, "Could not search");
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === "string" ? found : undefined;
}

/** The output of a tool is that of its task, next to the task's id. */
function resultOf(output: unknown): unknown {
  return typeof output === "object" && output !== null && "output" in output ? output.output : output;
}

const SUMMARY_LENGTH = 80;

function summaryOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const text = typeof value === "object" ? (field(value, "answer") ?? JSON.stringify(value)) : String(value);
  return text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)}…` : text;
}
