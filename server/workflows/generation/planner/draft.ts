import type { Edge, Step } from "../../../../contract/graph.ts";
import { uniqueSlug } from "../slug.ts";
import type { Literal } from "./literals.ts";

export interface Notice {
  code: string;
  message: string;
  stepId?: string;
}

/** An open end to which the next step is connected, possibly on one branch of a condition. */
export interface Tail {
  source: string;
  condition?: "true" | "false" | "error";
}

/** An output that later steps can refer to. */
export interface Product {
  /** `{{steps.fetch.output}}` */
  placeholder: string;
  form: "text" | "data";
  /** Nouns that refer to it: "summary". */
  nouns: readonly string[];
  /** The subject of a verdict. After a condition on the verdict, "it" means the subject, not the verdict. */
  about?: readonly Product[];
}

/** One level of the graph: the top level or the body of a loop. */
export interface Draft {
  steps: Step[];
  edges: Edge[];
  tails: Tail[];
  /** The current meaning of "it"; several after parallel calls. */
  current: readonly Product[];
  products: Product[];
  isLoop: boolean;
  /** Noun of the loop item: "address". */
  itemNoun: string;
}

export interface Planning {
  literals: readonly Literal[];
  notices: Notice[];
  usedIds: Set<string>;
  hasApproval: boolean;
}

export const INPUT: Product = { placeholder: "{{input}}", form: "data", nouns: ["input"] };
const ITEM: Product = { placeholder: "{{item}}", form: "data", nouns: ["item"] };

export function newDraft(): Draft {
  return { steps: [], edges: [], tails: [], current: [INPUT], products: [], isLoop: false, itemNoun: "" };
}

/** Outputs from before the loop can be referred to inside it. */
export function newLoop(outer: Draft, itemNoun: string): Draft {
  return {
    steps: [],
    edges: [],
    tails: [],
    current: [ITEM],
    products: [...outer.products],
    isLoop: true,
    itemNoun,
  };
}

export function fieldOf(product: Product, field: string): string {
  return product.placeholder.replace(/\s*\}\}$/, `.${field}}}`);
}

export interface NewStep {
  id: string;
  type: string;
  fields: Record<string, unknown>;
  /** The output of the step; without one "it" keeps its meaning. */
  gives?: Omit<Product, "placeholder"> & { field?: string };
}

export function addStep(draft: Draft, planning: Planning, step: NewStep): string {
  return addSideBySide(draft, planning, [step])[0] as string;
}

/** Parallel steps; the next step waits for all of them. */
export function addSideBySide(draft: Draft, planning: Planning, steps: readonly NewStep[]): string[] {
  const { tails } = draft;
  const ids = steps.map(({ id: wanted, type, fields }) => {
    const stepId = uniqueSlug(wanted, planning.usedIds);
    draft.steps.push({ stepId, type, ...fields });
    for (const { source, condition } of distinct(tails))
      draft.edges.push({
        // Success and failure of one step may both lead here: the failure is a second edge.
        id: condition === "error" ? `${source}-${stepId}-error` : `${source}-${stepId}`,
        source,
        target: stepId,
        ...(condition === undefined ? {} : { condition }),
      });
    return stepId;
  });
  const given = steps.flatMap(({ gives }, index): Product[] =>
    gives === undefined ? [] : [productOf(ids[index] as string, gives)],
  );
  if (given.length > 0) draft.current = given;
  draft.products.push(...given);
  draft.tails = ids.map((source) => ({ source }));
  return ids;
}

/** Connects each end once. When both branches of a condition continue the same way, the condition has no effect. */
function distinct(tails: readonly Tail[]): Tail[] {
  const leaves = (source: string, condition: Tail["condition"]) =>
    tails.some((tail) => tail.source === source && tail.condition === condition);
  const all = tails.map(({ source, condition }): Tail => {
    const isEitherWay = leaves(source, "true") && leaves(source, "false") && condition !== "error";
    return isEitherWay || condition === undefined ? { source } : { source, condition };
  });
  return [...new Map(all.map((tail) => [JSON.stringify(tail), tail])).values()];
}

function productOf(stepId: string, { field, ...gives }: NonNullable<NewStep["gives"]>): Product {
  return { ...gives, placeholder: `{{steps.${stepId}.output${field === undefined ? "" : `.${field}`}}}` };
}

/** The output a clause refers to: one named before ("the summary"), otherwise the most recent one. */
export function subjectOf(text: string, draft: Draft): readonly Product[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}]+/gu));
  const named = draft.products.filter(({ nouns }) => nouns.some((noun) => words.has(noun)));
  if (named.length <= 1) return named.length === 0 ? draft.current : named;
  const all = /\b(?:and|both|all)\b/i.test(text);
  return all ? named : named.slice(-1);
}

/** Always text: a lone placeholder of data would render as an object. */
export function asText(products: readonly Product[]): string {
  const [only] = products;
  if (products.length !== 1 || only === undefined || only.form === "text") return placeholdersOf(products);
  const noun = only.nouns[0] ?? "result";
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}:\n\n${only.placeholder}`;
}

export function placeholdersOf(products: readonly Product[], between = "\n\n"): string {
  return products.map(({ placeholder }) => placeholder).join(between);
}
