import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { foldText } from "./fold-text.ts";

/** The id and the folded texts of a workflow. Most of them are not read any further: `fieldsOf` costs more than a comparison. */
export type IndexedWorkflow = string;

/** `tags` and `steps` have one line for each. */
export interface WorkflowFields {
  id: string;
  name: string;
  folder: string;
  tags: string;
  steps: string;
  description: string;
}

/** Folded text has no control characters, so these two separate fields and workflows. */
export const FIELD = "\u001f";
export const WORKFLOW = "\u001e";
const LINE = "\n";
const MAX_CHARACTERS = 4000;
const MAX_STEPS = 500;

interface SearchedWorkflow {
  name: string;
  description: string;
  folder: string;
  tags: readonly string[];
  graph: unknown;
}

export function textOf({ name, description, folder, tags, graph }: SearchedWorkflow): string {
  const lines = (texts: readonly string[]): string => texts.map(foldText).join(LINE);
  const fields = [
    foldText(name),
    foldText(folder),
    lines(tags),
    lines(stepNames(graph)),
    foldText(description),
  ];
  return fields.map((field) => field.slice(0, MAX_CHARACTERS)).join(FIELD);
}

/** The names and types of the first `MAX_STEPS` steps, as the canvas shows them. */
function stepNames(graph: unknown, names: string[] = []): string[] {
  const steps = isRecord(graph) && Array.isArray(graph["steps"]) ? (graph["steps"] as unknown[]) : [];
  for (const step of steps) {
    if (!isRecord(step) || names.length >= MAX_STEPS) continue;
    const fields = ["title", "name", "stepId", "type", "app"].map((field) => step[field]);
    names.push([...new Set(fields.filter((value) => typeof value === "string"))].join(" "));
    stepNames(innerGraph(step), names);
  }
  return names;
}

export function fieldsOf(text: IndexedWorkflow): WorkflowFields {
  const [id = "", name = "", folder = "", tags = "", steps = "", description = ""] = text.split(FIELD);
  return { id, name, folder, tags, steps, description };
}

/** Without splitting the rest. */
export function nameOf(text: IndexedWorkflow): string {
  const start = text.indexOf(FIELD) + 1;
  return text.slice(start, text.indexOf(FIELD, start));
}
