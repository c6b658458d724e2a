import type { Step } from "../../contract/graph.ts";
import { findStepType, stepTypes } from "../../contract/steps/catalogue.ts";
import type { StepCategory } from "../../contract/steps/step-type.ts";
import { TRIGGER_CHOICES } from "./trigger-choices.ts";
import type { TriggerKind } from "./triggers.ts";

/** Something that the step picker adds: a step type, one of the user's workflows as a step, or a trigger. */
export interface Addable {
  key: string;
  type: string;
  title: string;
  description: string;
  category: StepCategory | "workspace" | "trigger";
  synonyms: readonly string[];
  /** Adds a trigger of this kind in place of a step. */
  trigger?: TriggerKind;
  /** Fields of the new step. */
  fields?: Readonly<Record<string, unknown>>;
}

export const CATEGORIES: readonly (readonly [Addable["category"], string])[] = [
  ["connect", "Connect"],
  ["ai", "AI"],
  ["flow", "Flow"],
  ["data", "Data"],
  ["workspace", "My workspace"],
  ["trigger", "Triggers"],
];

const fromCatalogue: readonly Addable[] = stepTypes.map(
  ({ type, title, description, category, synonyms }) => ({
    key: type,
    type,
    title,
    description: firstSentence(description),
    category,
    synonyms,
  }),
);

const triggers: readonly Addable[] = TRIGGER_CHOICES.map(({ kind, label, text, synonyms }) => ({
  key: `trigger:${kind}`,
  type: "trigger",
  title: label,
  description: text,
  category: "trigger",
  synonyms,
  trigger: kind,
}));

/** Descriptions also serve the model that writes workflows; a person reads the first sentence. */
function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}

/** Every step type, every other workflow as a step that runs it, and every trigger. */
export function addables(workflows: readonly { id: string; name: string }[], own?: string): Addable[] {
  return [
    ...fromCatalogue,
    ...workflows
      .filter(({ id }) => id !== own)
      .map(({ id, name }): Addable => ({
        key: `workflow:${id}`,
        type: "workflow",
        title: name,
        description: "Run this workflow",
        category: "workspace",
        synonyms: [],
        fields: { workflowId: id, name },
      })),
    // Last: of equal matches a step comes first, because the picker was opened to add one.
    ...triggers,
  ];
}

/** The matches, best first: by title, then by synonym, then by description. Every word must match. */
export function searchSteps(all: readonly Addable[], text: string): Addable[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...all];
  return all
    .map((entry) => ({ entry, score: Math.min(...words.map((word) => scoreOf(entry, word))) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function scoreOf({ type, title, description, synonyms }: Addable, word: string): number {
  const name = title.toLowerCase();
  const startsWord = (text: string): boolean => ` ${text.toLowerCase()}`.includes(` ${word}`);
  if (name === word || type === word) return 7;
  if (synonyms.includes(word)) return 6;
  if (startsWord(title)) return 5;
  if (synonyms.some(startsWord)) return 4;
  if (name.includes(word)) return 3;
  return startsWord(description) ? 1 : 0;
}

const AFTER: Readonly<Record<string, readonly string[]>> = {
  http: ["transform", "condition", "foreach", "llm"],
  llm: ["condition", "email", "approval", "http"],
  document_query: ["llm", "email", "condition"],
  agent: ["condition", "approval", "email"],
  condition: ["http", "email", "approval", "transform"],
  switch: ["http", "email", "transform"],
  approval: ["http", "email", "file"],
  foreach: ["transform", "email", "http"],
  transform: ["http", "condition", "foreach", "email"],
  file: ["llm", "transform", "email"],
};
const FIRST = ["http", "llm", "transform", "condition", "foreach"];

/** The steps that usually follow. A list suggests a loop, whatever step made it. */
export function suggestedTypes(previous: Step | undefined, output: unknown): string[] {
  const usual = previous === undefined ? FIRST : (AFTER[findStepType(previous.type)?.type ?? ""] ?? FIRST);
  const first = Array.isArray(output) ? ["foreach"] : [];
  return [...new Set([...first, ...usual])].slice(0, 4);
}
