import type { Step } from "../../contract/graph.ts";

const MAX_LENGTH = 60;

/** The line below the title of a step: its type and its main setting. */
export function stepSummary(step: Step): string {
  const text = (name: string): string => (typeof step[name] === "string" ? step[name] : "");
  const about: Record<string, () => string> = {
    http: () => `${text("method") || "GET"} ${text("url").replace(/^https?:\/\//, "")}`,
    llm: () => text("model") || text("prompt"),
    file: () => `${text("action")} ${text("path")}`,
    agent: () => text("capability") || text("agentId"),
    approval: () => text("message"),
    condition: () => `${show(step["left"])} ${text("operator")} ${show(step["right"])}`,
    switch: () => show(step["value"]),
    transform: () => text("expression") || show(step["template"]),
    foreach: () => show(step["items"]),
    workflow: () => text("workflowId"),
    delay: () => (step["seconds"] === undefined ? text("until") : `${show(step["seconds"])} s`),
    document_query: () => text("query"),
    mcp: () => text("tool"),
    email: () => show(step["to"]),
  };
  const detail = shortenPlaceholders(about[step.type]?.() ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const shown = detail.length > MAX_LENGTH ? `${detail.slice(0, MAX_LENGTH)}…` : detail;
  return shown === "" ? step.type : `${step.type} · ${shown}`;
}

/** Shortens placeholders: `{{steps.order.output.total}}` becomes ‹order.total›. */
function shortenPlaceholders(text: string): string {
  return text.replaceAll(
    /\{\{\s*(?:steps\.)?([^{}]*?)\s*\}\}/g,
    (_whole, path: string) => `‹${path.replace(".output", "")}›`,
  );
}

export function stepTitle(step: Step): string {
  return typeof step["name"] === "string" && step["name"] !== "" ? step["name"] : step.stepId;
}

function show(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
