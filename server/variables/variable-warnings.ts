import type { Problem } from "../../contract/graph.ts";
import { allSteps } from "../../contract/graph/all-steps.ts";
import { iterationCheck, ownReferences } from "../../contract/graph/step-references.ts";
import type { Reference } from "../../contract/placeholders/reference.ts";
import { compileStep, MAX_PLACEHOLDERS } from "../../contract/steps/compile-step.ts";
import { inTurns, type PartedWork } from "../lib/in-turns.ts";
import { missingNames } from "../lib/missing-names.ts";
import { serializeInParts } from "../lib/serialize-json.ts";

const MAX_WARNINGS = 100;
const NOUNS = { vars: "variable", secrets: "secret" } as const;
type Root = keyof typeof NOUNS;

interface Mention {
  root: Root;
  name: string;
  stepId: string;
}

export type VariableWarnings = (ownerId: string, graph: { steps: readonly unknown[] }) => Promise<Problem[]>;

/** Warns about variables and secrets that do not exist: in a run they are empty, so a request would be sent with an empty credential. */
export function createVariableWarnings(
  known: (ownerId: string, names: readonly string[], secret: boolean) => Promise<readonly { name: string }[]>,
): VariableWarnings {
  async function unknown(ownerId: string, mentions: readonly Mention[], root: Root): Promise<Mention[]> {
    const named = mentions.filter((mention) => mention.root === root);
    const missing = await missingNames(
      named.map(({ name }) => name),
      async (names) => (await known(ownerId, names, root === "secrets")).map(({ name }) => name),
    );
    return named.filter(({ name }) => missing.has(name));
  }

  return async (ownerId, graph) => {
    const mentions = await inTurns(mentionsIn(graph));
    const missing = [
      ...(await unknown(ownerId, mentions, "vars")),
      ...(await unknown(ownerId, mentions, "secrets")),
    ];
    return missing.slice(0, MAX_WARNINGS).map(({ root, name, stepId }) => ({
      code: "unknown_variable",
      message: `Step "${stepId}" refers to the ${NOUNS[root]} "${name.slice(0, 100)}", which does not exist and is empty in a run. Create it under Variables, or correct the name.`,
      stepId,
    }));
  };
}

function* mentionsIn(graph: { steps: readonly unknown[] }): PartedWork<Mention[]> {
  const mentions = new Map<string, Mention>();
  for (const step of allSteps(graph)) {
    const { steps: _inner, ...own } = step;
    // Most steps name no variable, and are not compiled.
    if (!/\b(vars|secrets)\b/.test(yield* serializeInParts(own))) continue;
    const stepId = String(step["stepId"]);
    for (const { root, path } of referencesOf(step))
      if (isVariableRoot(root) && path.length > 0) {
        const name = String(path[0]);
        mentions.set(JSON.stringify([root, name, stepId]), { root, name, stepId });
      }
    yield;
  }
  return [...mentions.values()];
}

function referencesOf(step: Record<string, unknown>): Reference[] {
  const check = iterationCheck(step);
  return [
    ...ownReferences(step, compileStep(step, MAX_PLACEHOLDERS)),
    ...(check === undefined ? [] : compileStep(check, MAX_PLACEHOLDERS).references),
  ];
}

function isVariableRoot(root: string): root is Root {
  return Object.hasOwn(NOUNS, root);
}
