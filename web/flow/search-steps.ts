import type { Step } from "../../contract/graph.ts";
import { findStepType, stepTypes } from "../../contract/steps/catalogue.ts";
import type { StepCategory } from "../../contract/steps/step-type.ts";
import type { AppSummary } from "../../contract/apps.ts";
import { TRIGGER_CHOICES } from "./trigger-choices.ts";
import type { TriggerKind } from "./triggers.ts";

/** Something that the step picker adds: a step type, an action of an app, one of the user's workflows, or a trigger. */
export interface Addable {
  key: string;
  type: string;
  title: string;
  description: string;
  category: StepCategory | "apps" | "workspace" | "trigger";
  synonyms: readonly string[];
  /** Adds a trigger of this kind in place of a step. */
  trigger?: TriggerKind;
  /** Fields of the new step. */
  fields?: Readonly<Record<string, unknown>>;
  /** The entry is an app: one of its actions is added. */
  app?: AddableApp;
}

interface AddableApp {
  icon: AppSummary["icon"];
  /** The connection that a new step uses. */
  connection: { id: string; name: string } | undefined;
  actions: readonly Addable[];
}

export const CATEGORIES: readonly (readonly [Addable["category"], string])[] = [
  ["apps", "Apps"],
  ["connect", "Connect"],
  ["ai", "AI"],
  ["flow", "Flow"],
  ["data", "Data"],
  ["workspace", "My workspace"],
  ["trigger", "Triggers"],
];

const fromCatalogue: readonly Addable[] = stepTypes
  // Listed as the apps themselves.
  .filter(({ type }) => type !== "app")
  .map(({ type, title, description, category, synonyms }) => ({
    key: type,
    type,
    title,
    description: firstSentence(description),
    category,
    synonyms,
  }));

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

interface Offered {
  workflows: readonly { id: string; name: string }[];
  /** The workflow that is edited; it does not run itself. */
  own?: string;
  apps?: readonly AppSummary[];
  connections?: readonly { id: string; name: string; app: string | null; status: string }[];
}

const WORKING = new Set(["connected", "untested"]);

/** Every step type, every app with its actions, and every other workflow as a step that runs it. */
export function addables({ workflows, own, apps = [], connections = [] }: Offered): Addable[] {
  const fromApps = apps.map((app) =>
    fromApp(
      app,
      connections.find(({ app: ofApp, status }) => ofApp === app.id && WORKING.has(status)),
    ),
  );
  return [
    ...fromCatalogue,
    // Apps with a working connection come first.
    ...fromApps.toSorted((a, b) => connectedFirst(a) - connectedFirst(b) || a.title.localeCompare(b.title)),
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

function connectedFirst({ app }: Addable): number {
  return app?.connection === undefined ? 1 : 0;
}

function fromApp(app: AppSummary, connection: AddableApp["connection"]): Addable {
  const uses = connection === undefined ? {} : { connection: connection.id };
  const actions = app.actions.map((action): Addable => ({
    key: `app:${app.id}:${action.id}`,
    type: "app",
    title: action.title,
    description: firstSentence(action.description),
    category: "apps",
    synonyms: action.synonyms,
    fields: { app: app.id, action: action.id, name: action.title, ...uses },
  }));
  return {
    key: `app:${app.id}`,
    type: "app",
    title: app.title,
    description: app.description,
    category: "apps",
    synonyms: app.synonyms,
    app: { icon: app.icon, connection, actions },
  };
}

/** A match, with the actions of an app that match, best first. */
export interface Found {
  entry: Addable;
  score: number;
  actions: readonly Addable[];
}

/** The matches, best first: by title, then by synonym, then by description. Every word must match. */
export function searchSteps(all: readonly Addable[], text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all.map((entry) => ({ entry, score: 0, actions: entry.app?.actions ?? [] }));
  return all
    .map((entry) => find(entry, words))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
}

/** A word may name the app and another one its action: "slack send". */
function find(entry: Addable, words: readonly string[]): Found {
  const own = Math.min(...words.map((word) => scoreOf(entry, word)));
  const actions = (entry.app?.actions ?? [])
    .map((action) => ({
      action,
      score: Math.min(...words.map((word) => Math.max(scoreOf(action, word), scoreOf(entry, word)))),
      // An action that has its own word comes before those that only belong to the app.
      exact: Math.max(...words.map((word) => scoreOf(action, word))),
    }))
    .filter(({ score, exact }) => score > 0 && (exact > 0 || own > 0))
    .toSorted((a, b) => b.exact - a.exact);
  const best = Math.max(0, ...actions.filter(({ exact }) => exact > 0).map(({ score }) => score));
  return { entry, score: Math.max(own, best), actions: actions.map(({ action }) => action) };
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
