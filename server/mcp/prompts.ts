import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";
import type { Template } from "../../contract/templates.ts";
import { firstFreeName, toExposedName } from "../exposure/exposed-name.ts";
import type { Templates } from "../workflows/templates.ts";
import type { Handler } from "./call.ts";
import { pageOf } from "./paging.ts";
import { invalidParams, type Params, requireText } from "./protocol.ts";

const BATCH = 200;
/** More templates are not offered: a client shows them in a menu. */
const MAX_PROMPTS = 1000;
const MAX_ARGUMENTS = 20;
const MAX_ARGUMENT_CHARACTERS = 20_000;
const INPUT_REFERENCE = /\binput\.([A-Za-z_][\w-]{0,99})/g;

export interface Prompt {
  name: string;
  template: Template;
}

export type ListPrompts = (ownerId: string) => Promise<Prompt[]>;

/** Starters first, then the owner's templates from the oldest on: a new template changes the name of no other one. */
export function createListPrompts(templates: Pick<Templates, "list">): ListPrompts {
  return async (ownerId) => {
    const own: Template[] = [];
    const starters: Template[] = [];
    for (let cursor: string | undefined; own.length < MAX_PROMPTS;) {
      const page = await templates.list(ownerId, { limit: BATCH, ...(cursor !== undefined && { cursor }) });
      for (const template of page.templates) (template.builtIn ? starters : own).push(template);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const taken = new Set<string>();
    return [...starters, ...own.toReversed()].map((template) => {
      const wanted = template.builtIn ? template.id : toExposedName(template.name, "template");
      const name = firstFreeName(wanted, taken);
      taken.add(name);
      return { name, template };
    });
  };
}

/** Templates, the built-in starters included, as procedures that a model follows with the user's values. */
export function promptMethods(listPrompts: ListPrompts): Record<string, Handler> {
  return {
    async "prompts/list"({ caller, params }) {
      const { items, ...more } = pageOf(await listPrompts(caller.ownerId), params);
      return { prompts: items.map(toPrompt), ...more };
    },

    async "prompts/get"({ caller, params }) {
      const name = requireText(params, "name");
      const prompt = (await listPrompts(caller.ownerId)).find((each) => each.name === name);
      if (prompt === undefined) throw invalidParams(`Unknown prompt: ${name.slice(0, 100)}`);
      const { template } = prompt;
      const given = readArguments(params, argumentsOf(template));
      return {
        description: template.description,
        messages: [{ role: "user", content: { type: "text", text: instructions(template, given) } }],
      };
    },
  };
}

function toPrompt({ name, template }: Prompt) {
  return {
    name,
    title: template.name,
    description: template.description,
    arguments: argumentsOf(template).map((argument) => ({ name: argument, required: false })),
  };
}

/** The input fields that its steps refer to. */
function argumentsOf({ steps }: Template): string[] {
  const names = [...JSON.stringify(steps).matchAll(INPUT_REFERENCE)].map(([, name]) => name!);
  return [...new Set(names)].slice(0, MAX_ARGUMENTS);
}

function readArguments(params: Params, known: readonly string[]): Map<string, string> {
  const given: JsonValue = params["arguments"] ?? {};
  if (!isRecord(given)) throw invalidParams("params.arguments must be an object.");
  for (const [name, value] of Object.entries(given))
    if (typeof value !== "string" || value.length > MAX_ARGUMENT_CHARACTERS)
      throw invalidParams(
        `The argument ${name.slice(0, 100)} must be a text of at most ${MAX_ARGUMENT_CHARACTERS} characters.`,
      );
  return new Map(known.flatMap((name) => (given[name] === undefined ? [] : [[name, String(given[name])]])));
}

function instructions({ name, description, steps }: Template, given: ReadonlyMap<string, string>): string {
  const list = steps.filter(isRecord).map((step, index) => `${index + 1}. ${describeStep(step)}`);
  const values = [...given].map(([argument, value]) => `- ${argument}: ${value}`);
  return [
    `Carry out the procedure “${name}”.`,
    description,
    `Steps:\n${list.join("\n")}`,
    ...(values.length > 0 ? [`Values:\n${values.join("\n")}`] : []),
    "If one of the tools does all of this, call it with these values. Otherwise do the steps one after the other with the tools you have, and ask before a step changes anything.",
  ].join("\n\n");
}

function describeStep(step: Record<string, unknown>): string {
  const type = findStepType(step["type"]);
  const title = typeof step["name"] === "string" ? step["name"] : (type?.title ?? String(step["type"]));
  const summary = type?.summary(step) ?? "";
  return summary === "" ? title : `${title}: ${summary}`;
}
