import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";
import type { Template } from "../../contract/templates.ts";
import { AppError } from "../lib/errors.ts";
import type { Templates } from "../workflows/templates.ts";
import type { Handler } from "./call.ts";
import { invalidParams, type Params, requireText } from "./protocol.ts";
import { cursorOf } from "./resources.ts";

const PAGE_SIZE = 50;
const MAX_ARGUMENTS = 20;
const MAX_ARGUMENT_CHARACTERS = 20_000;
const INPUT_REFERENCE = /\binput\.([A-Za-z_][\w-]{0,99})/g;

interface PromptArgument {
  name: string;
  required: false;
}

/** Templates, the built-in starters included, as procedures that a model follows with the user's values. */
export function promptMethods(templates: Pick<Templates, "list" | "get">): Record<string, Handler> {
  return {
    async "prompts/list"({ caller, params }) {
      const cursor = cursorOf(params);
      const page = await templates.list(caller.ownerId, {
        limit: PAGE_SIZE,
        ...(cursor !== undefined && { cursor }),
      });
      return {
        prompts: page.templates.map(toPrompt),
        ...(page.nextCursor !== null && { nextCursor: page.nextCursor }),
      };
    },

    async "prompts/get"({ caller, params }) {
      const name = requireText(params, "name");
      const template = await templates.get(caller.ownerId, name).catch((error: unknown) => {
        throw error instanceof AppError ? invalidParams(`Unknown prompt: ${name.slice(0, 100)}`) : error;
      });
      const given = readArguments(params, argumentsOf(template));
      return {
        description: template.description,
        messages: [{ role: "user", content: { type: "text", text: instructions(template, given) } }],
      };
    },
  };
}

function toPrompt(template: Template) {
  const { id, name, description } = template;
  return { name: id, title: name, description, arguments: argumentsOf(template) };
}

/** The input fields that its steps refer to. */
function argumentsOf({ steps }: Template): PromptArgument[] {
  const names = [...JSON.stringify(steps).matchAll(INPUT_REFERENCE)].map(([, name]) => name!);
  return [...new Set(names)].slice(0, MAX_ARGUMENTS).map((name) => ({ name, required: false }));
}

function readArguments(params: Params, known: readonly PromptArgument[]): Map<string, string> {
  const given: JsonValue = params["arguments"] ?? {};
  if (!isRecord(given)) throw invalidParams("params.arguments must be an object.");
  for (const [name, value] of Object.entries(given))
    if (typeof value !== "string" || value.length > MAX_ARGUMENT_CHARACTERS)
      throw invalidParams(
        `The argument ${name.slice(0, 100)} must be a text of at most ${MAX_ARGUMENT_CHARACTERS} characters.`,
      );
  return new Map(
    known.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, String(given[name])]])),
  );
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
