import type { Problem } from "../../contract/graph.ts";
import { allSteps } from "../../contract/graph/all-steps.ts";
import { ownReferences } from "../../contract/graph/step-references.ts";
import { compileStep } from "../../contract/steps/compile-step.ts";

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
    if (named.length === 0) return [];
    const names = [...new Set(named.map(({ name }) => name))];
    const existing = new Set((await known(ownerId, names, root === "secrets")).map(({ name }) => name));
    return named.filter(({ name }) => !existing.has(name));
  }

  return async (ownerId, graph) => {
    const mentions = mentionsIn(graph);
    const missing = [
      ...(await unknown(ownerId, mentions, "vars")),
      ...(await unknown(ownerId, mentions, "secrets")),
    ];
    return missing.map(({ root, name, stepId }) => ({
      code: "unknown_variable",
      message: `Step "${stepId}" refers to the ${NOUNS[root]} "${name.slice(0, 100)}", which does not exist and is empty in a run. Create it under Variables, or correct the name.`,
      stepId,
    }));
  };
}

function mentionsIn(graph: { steps: readonly unknown[] }): Mention[] {
  // Most graphs name no variable: then no step is compiled and no query is made.
  if (!/\b(vars|secrets)\b/.test(JSON.stringify(graph.steps))) return [];
  const mentions = new Map<string, Mention>();
  for (const step of allSteps(graph)) {
    const stepId = String(step["stepId"]);
    for (const { root, path } of ownReferences(step, compileStep(step)))
      if (isVariableRoot(root) && path.length > 0) {
        const name = String(path[0]);
        mentions.set(JSON.stringify([root, name, stepId]), { root, name, stepId });
      }
  }
  return [...mentions.values()].slice(0, MAX_WARNINGS);
}

function isVariableRoot(root: string): root is Root {
  return Object.hasOwn(NOUNS, root);
}
