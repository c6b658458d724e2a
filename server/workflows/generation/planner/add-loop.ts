import { addStep, type Draft, type Planning, subjectOf } from "./draft.ts";
import { camelCase } from "./words.ts";

/** Adds a foreach over the list named by `what`, around the steps of one iteration. */
export function addLoop(what: string, inner: Draft, draft: Draft, planning: Planning): void {
  splitLines(draft, planning);
  const gives = { form: "data" as const, nouns: [...nounsOf(inner, draft), "results", "list"] };
  addStep(draft, planning, {
    id: `each-${what.split(/\s+/)[0]?.replace(/(?<=[^s])s$/, "")}`,
    type: "foreach",
    fields: {
      items: itemsOf(what, draft),
      steps: inner.steps,
      ...(inner.edges.length > 0 ? { edges: inner.edges } : {}),
    },
    gives,
  });
}

/** Text is split into lines to make a list; a model that produces it is prompted for one item per line. */
function splitLines(draft: Draft, planning: Planning): void {
  const [text] = draft.current;
  const stepId = /^\{\{steps\.([\w-]+)\.output/.exec(text?.placeholder ?? "")?.[1];
  if (text?.form !== "text" || stepId === undefined) return;
  const maker = draft.steps.find((step) => step.stepId === stepId);
  if (maker?.type === "llm") {
    const [task = "", ...rest] = String(maker["prompt"]).split("\n\n");
    maker["prompt"] = [`${task} Put each on a line of its own.`, ...rest].join("\n\n");
  }
  addStep(draft, planning, {
    id: "lines",
    type: "transform",
    fields: { expression: `[$split(steps.\`${stepId}\`.output, "\\n")[$ != ""]]` },
    gives: { form: "data", nouns: ["lines", "rows"] },
  });
}

function nounsOf(inner: Draft, outer: Draft): string[] {
  return inner.products.filter((product) => !outer.products.includes(product)).flatMap(({ nouns }) => nouns);
}

/** "order in the list" → the most recent list, or the input field with that name. */
function itemsOf(what: string, draft: Draft): string {
  const last = subjectOf("", draft).find(({ form }) => form === "data");
  if (last !== undefined && last.placeholder !== "{{input}}") return last.placeholder;
  const source = /\b(?:in|of|from)\s+(?:the\s+|my\s+|our\s+)?(?:input\s+)?([\p{L}]+)\s*$/iu
    .exec(what)?.[1]
    ?.toLowerCase();
  const noun = what.split(/\s+/)[0]?.toLowerCase() ?? "item";
  const field = source === undefined || source === "list" || source === "input" ? plural(noun) : source;
  return `{{input.${camelCase([field])}}}`;
}

function plural(noun: string): string {
  if (noun.endsWith("s")) return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
