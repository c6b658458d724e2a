import type { Step } from "../../contract/graph.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";

const MAX_LENGTH = 60;

/** The word for a type on the canvas, where its title would be too long. */
const WORDS: Readonly<Record<string, string>> = {
  http: "HTTP",
  llm: "AI",
  file: "File",
  agent: "Agent",
  approval: "Approval",
  transform: "Transform",
  foreach: "For each",
  workflow: "Workflow",
  delay: "Wait",
  document_query: "Documents",
  mcp: "MCP",
  email: "Email",
};

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is greater than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  startsWith: "starts with",
  endsWith: "ends with",
  exists: "exists",
  empty: "is empty",
};

/** The line below the title of a step: its type and its main setting. */
export function stepSummary(step: Step): string {
  const text = (name: string): string => (typeof step[name] === "string" ? step[name] : "");
  const about: Record<string, () => string> = {
    http: () => `${text("method") || "GET"} ${text("url").replace(/^https?:\/\//, "")}`,
    llm: () => text("model") || text("prompt"),
    file: () => `${text("action")} ${text("path")}`,
    agent: () => text("capability") || text("agentId"),
    approval: () => text("message"),
    condition: () =>
      `${show(step["left"])} ${OPERATORS[text("operator")] ?? text("operator")} ${show(step["right"])}`,
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
  const type = findStepType(step.type);
  // What a condition or a switch compares says enough.
  if (type?.traits.branching !== undefined && shown !== "") return shown;
  const word = WORDS[type?.type ?? ""] ?? type?.title ?? step.type;
  return shown === "" ? word : `${word} · ${shown}`;
}

/** Shortens placeholders: `{{steps.order.output.total}}` becomes order.total. */
function shortenPlaceholders(text: string): string {
  return text.replaceAll(/\{\{\s*(?:steps\.)?([^{}]*?)\s*\}\}/g, (_whole, path: string) =>
    path.replace(".output", ""),
  );
}

export function stepTitle(step: Step): string {
  return typeof step["name"] === "string" && step["name"] !== "" ? step["name"] : step.stepId;
}

function show(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
