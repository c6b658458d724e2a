import { addStep, type Draft, fieldOf, type Planning, type Product } from "./draft.ts";
import { literalsIn, unmarked } from "./literals.ts";
import { camelCase } from "./words.ts";

type Operator =
  | "eq"
  | "ne"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "matches"
  | "exists"
  | "empty";

/** Most specific first, "is" last. The subject is before the operator, the value after it. */
const COMPARISONS: [RegExp, Operator][] = [
  [/\s*(?:\bis\s+|\bare\s+)?(?:at\s+least|no\s+less\s+than|greater\s+than\s+or\s+equal\s+to|>=)\s*/i, "gte"],
  [/\s*(?:\bis\s+|\bare\s+)?(?:at\s+most|no\s+more\s+than|less\s+than\s+or\s+equal\s+to|<=)\s*/i, "lte"],
  [
    /\s*(?:\bis\s+|\bare\s+|\bhas\s+)?(?:over|above|greater\s+than|more\s+than|higher\s+than|larger\s+than|bigger\s+than|exceeds|exceed|longer\s+than|>)\s+/i,
    "gt",
  ],
  [
    /\s*(?:\bis\s+|\bare\s+|\bhas\s+)?(?:under|below|less\s+than|fewer\s+than|lower\s+than|smaller\s+than|cheaper\s+than|<)\s+/i,
    "lt",
  ],
  [
    /\s+(?:is|are)\s+not\s+empty\b|\s+(?:is|are)\s+(?:present|there|available|set|given)\b|\s+exists?\b/i,
    "exists",
  ],
  [
    /\s+(?:is|are)\s+(?:empty|missing|blank|null|not\s+(?:there|set|given|present))\b|\s+(?:does\s+not|doesn't)\s+exist\b/i,
    "empty",
  ],
  [/\s+(?:contains?|includes?|mentions?)\s+(?:the\s+(?:words?|text|phrase)\s+)?/i, "contains"],
  [/\s+(?:starts?|begins?)\s+with\s+/i, "startsWith"],
  [/\s+ends?\s+with\s+/i, "endsWith"],
  [/\s+matches\s+/i, "matches"],
  [/\s+(?:is\s+not|isn't|are\s+not|aren't|does\s+not\s+equal|!=)\s*/i, "ne"],
  [/\s+(?:equals|is\s+equal\s+to|is\s+exactly|==?)\s*/i, "eq"],
  [/\s+(?:is|are|was|were)\s+/i, "eq"],
];

/** Nouns for the whole input: no field says whether it "is urgent", so a model has to decide. */
const THING =
  /^(?:it|this|that|they|the\s+)?\s*(?:it|this|that|they|e?-?mails?|messages?|reviews?|texts?|tickets?|articles?|comments?|feedback|contents?|documents?|pages?|posts?|requests?|items?|tone|answer|question)$/i;

export interface Test {
  /** The step with "true" and "false" branches; undefined when success or failure of the previous step decides. */
  stepId: string | undefined;
  isNegated: boolean;
  kind: "condition" | "failure" | "approval";
}

/** Adds a condition step, or selects success or failure of the previous step. */
export function addTest(test: string, draft: Draft, planning: Planning): Test {
  if (
    /\b(?:fails|failed|fail|errors?(?:\s+out)?|goes\s+wrong|does\s+not\s+(?:work|respond|answer)|is\s+down|times\s+out)\b/i.test(
      test,
    ) &&
    draft.steps.length > 0
  )
    return { stepId: undefined, isNegated: false, kind: "failure" };
  if (
    planning.hasApproval &&
    /\b(?:approved?|approves|accepted|confirmed|yes)\b/i.test(test) &&
    !/\bnot\b/i.test(test)
  )
    return { stepId: undefined, isNegated: false, kind: "approval" };
  const nothing =
    /^there\s+(?:is|are)\s+(no|any|some)\b\s*(.*)$/i.exec(test) ??
    /^(no)\s+(.+?)(?:\s+(?:is|are|was|were)\s+\w+)?$/i.exec(test);
  if (nothing) {
    const operator = nothing[1]?.toLowerCase() === "no" ? "empty" : "exists";
    return decided(draft, planning, { left: leftOf(nothing[2] ?? "", draft).left, operator });
  }
  const text = test.replace(/\bdoes\s+not\s+contain\b|\bdoesn't\s+contain\b/i, "contains");
  const isNegated = text !== test;
  for (const [pattern, operator] of COMPARISONS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const subject = text.slice(0, match.index).trim();
    const value = text.slice(match.index + match[0].length).trim();
    if ((operator === "eq" || operator === "ne") && THING.test(subject) && !isSimpleValue(value))
      return { ...judged(test, draft, planning), isNegated: false };
    const { left, isLabel } = leftOf(subject, draft);
    if (operator === "exists" || operator === "empty") return decided(draft, planning, { left, operator });
    const right = valueOf(value, planning);
    // A model's one-word answer may end with a full stop.
    if (isLabel && typeof right === "string" && (operator === "eq" || operator === "ne"))
      return {
        ...decided(draft, planning, { left, operator: "contains", right: right.toLowerCase() }),
        isNegated: (operator === "ne") !== isNegated,
      };
    return { ...decided(draft, planning, { left, operator, right }), isNegated };
  }
  const [made] = draft.current;
  // "If positive, …" right after the question that produces the verdict.
  if (/^\p{L}+$/u.test(test) && made?.form === "text")
    return decided(draft, planning, {
      left: made.placeholder,
      operator: "contains",
      right: test.toLowerCase(),
    });
  return judged(test, draft, planning);
}

function decided(
  draft: Draft,
  planning: Planning,
  fields: { left: string; operator: Operator; right?: unknown },
): Test {
  return {
    stepId: addStep(draft, planning, { id: "check", type: "condition", fields }),
    isNegated: false,
    kind: "condition",
  };
}

/** Asks a model for yes or no when no field has the information. */
function judged(test: string, draft: Draft, planning: Planning): Test {
  const current = draft.current;
  const products = draft.products;
  const question = `Is this right: ${unmarked(test, planning.literals)}? Answer with yes or no alone, in lower case.`;
  const stepId = addStep(draft, planning, {
    id: "judge",
    type: "llm",
    fields: { prompt: `${question}\n\n${current.map(({ placeholder }) => placeholder).join("\n\n")}` },
  });
  draft.current = current;
  draft.products = products;
  return decided(draft, planning, { left: `{{steps.${stepId}.output}}`, operator: "contains", right: "yes" });
}

/** The tested value: a named output, otherwise a field of the most recent output. */
function leftOf(subject: string, draft: Draft): { left: string; isLabel: boolean } {
  const words: string[] =
    subject
      .toLowerCase()
      .replaceAll(/['’]s\b/g, "")
      .match(/[\p{L}\d_]+/gu) ?? [];
  const named = draft.products.findLast(
    ({ nouns, form }) => form === "text" && nouns.some((noun) => words.includes(noun)),
  );
  if (named !== undefined) return { left: named.placeholder, isLabel: true };
  const [first] = draft.current;
  const head = subject.split(/\s+(?:of|in|from|for)\s+/i)[0] ?? subject;
  const skipped = new Set([
    "the",
    "input",
    "a",
    "an",
    "its",
    "their",
    "any",
    "it",
    "order",
    "response",
    "result",
    "this",
    "that",
    "number",
    "value",
    "data",
    "of",
  ]);
  const meant = (
    head
      .toLowerCase()
      .replaceAll(/['’]s\b/g, "")
      .match(/[\p{L}\d_]+/gu) ?? []
  ).filter((word) => !skipped.has(word));
  const whole = meant.length === 0 || first?.nouns.includes(meant.join(" ")) === true;
  const base: Product = first ?? { placeholder: "{{input}}", form: "data", nouns: [] };
  if (whole || base.form === "text") return { left: base.placeholder, isLabel: base.form === "text" };
  return { left: fieldOf(base, camelCase(meant)), isLabel: false };
}

function isSimpleValue(value: string): boolean {
  return /^(?:«\d+»|[-\d.,]+|true|false)$/i.test(value);
}

function valueOf(text: string, planning: Planning): string | number | boolean {
  const [quoted] = literalsIn(text, "quote", planning.literals);
  if (quoted !== undefined) return quoted;
  const bare = unmarked(text, planning.literals)
    .replace(/^(?:the|an?|equal\s+to)\s+/i, "")
    .trim();
  const number =
    /^[$€£]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*(k|%|€|\$|dollars?|euros?|items?|characters?|words?|degrees?)?\b/i.exec(
      bare,
    );
  if (number !== null)
    return Number(number[1]?.replaceAll(",", "")) * (number[2]?.toLowerCase() === "k" ? 1000 : 1);
  if (/^(?:true|yes)$/i.test(bare)) return true;
  return /^(?:false|no)$/i.test(bare) ? false : bare;
}
