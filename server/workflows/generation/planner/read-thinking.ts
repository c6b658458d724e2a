import {
  addStep,
  type Draft,
  fieldOf,
  placeholdersOf,
  type Planning,
  type Product,
  subjectOf,
} from "./draft.ts";
import { literalsIn, unmarked } from "./literals.ts";
import { imperative, plainVerb, verbKindsOf } from "./verbs.ts";
import { nounsIn, sentence } from "./words.ts";

/** Nouns for the results of these verbs. */
const OUTCOMES: [RegExp, string[]][] = [
  [/^summari[sz]/i, ["summary", "summaries"]],
  [/^translat/i, ["translation", "translations"]],
  [
    /^(?:classif|categori[sz]|label|tag)/i,
    ["category", "class", "classification", "label", "sentiment", "priority", "topic", "type", "kind"],
  ],
  [/^(?:extract|identif|find|detect|list)/i, ["list", "extract", "findings"]],
  [/^compar/i, ["comparison"]],
  [/^(?:analy[sz]|evaluat|review)/i, ["analysis", "evaluation", "review"]],
  [
    /^(?:draft|compos|writ|generat)/i,
    ["draft", "text", "reply", "response", "email", "post", "article", "report", "message"],
  ],
  [/^(?:scor|rat|rank)/i, ["score", "rating"]],
  [/^(?:answer|ask)/i, ["answer", "reply"]],
];
const MAKES_FROM_NOTHING = /^(?:writ|generat|draft|compos|brainstorm|suggest|creat|outlin)/i;
const NAMES_ITS_OUTCOME = /^(?:extract|identif|find|detect|draft|compos|writ|generat|calculat|determin)/i;
const QUESTION = /^(?:what|who|whom|whose|how|why|where|which)\b/i;
const ONE_WORD = /^(?:classif|categori[sz]|label|tag)/i;
const MODEL =
  /^(?:ask|use|let|have|prompt)\s+(?:the\s+|an?\s+|our\s+)?(?:language\s+)?(?:model|ai|gpt(?:-\w+)?|llm|chatgpt|claude|gemini)\b\s*(?:to\s+|for\s+|:\s*)?/i;
const AGENT =
  /^(?:ask|use|let|have|call|tell|get)\s+(?:the\s+|an?\s+|our\s+|my\s+)?(\w+(?:[\s-]\w+)?)?\s*agent\b\s*(?:with\s+(?:the\s+)?capability\s+«?([\w-]+)»?\s*)?(?:to\s+|for\s+|about\s+)?/i;
const DOCUMENTS = /\b(?:documents?|handbook|manuals?|pdfs?|knowledge\s+base|uploaded\s+files)\b/i;

export function readAgent(text: string, draft: Draft, planning: Planning): boolean {
  const agent = AGENT.exec(text);
  if (agent === null) return false;
  const capability = (agent[2] ?? agent[1] ?? "general").toLowerCase();
  const task = unmarked(text.slice(agent[0].length), planning.literals);
  addStep(draft, planning, {
    id: capability === "general" ? "agent" : capability,
    type: "agent",
    fields: {
      capability,
      input: `${sentence(task || "Work on this")}\n\n${placeholdersOf(subjectOf(text, draft))}`,
    },
    gives: { form: "text", nouns: ["answer", "findings", "research"] },
  });
  return true;
}

export function readDocumentQuestion(text: string, draft: Draft, planning: Planning): boolean {
  if (!DOCUMENTS.test(text) || !/^(?:ask|search|look|find|query|check|answer|consult)/i.test(text))
    return false;
  if (
    literalsIn(text, "url", planning.literals).length > 0 ||
    literalsIn(text, "file", planning.literals).length > 0
  )
    return false;
  const [quoted] = literalsIn(text, "quote", planning.literals);
  const question =
    quoted ??
    /\b(?:for|about|what|which|who|how|when|where|whether)\b.*$/i.exec(
      text.replace(
        /\b(?:in|from|using|with)\s+(?:\w+\s+){0,2}(?:documents?|handbook|manuals?|pdfs?|knowledge\s+base)\b/i,
        "",
      ),
    )?.[0];
  const words = question?.replace(/^(?:for|about)\s+/i, "").trim();
  const isPointing =
    words === undefined ||
    words === "" ||
    /^(?:it|that|this|the\s+input|(?:(?:the|an?)\s+)?(?:answers?(?:\s+to\s+)?)?(?:(?:the|this|that|my)\s+)?(?:question|it)?)$/i.test(
      words,
    );
  addStep(draft, planning, {
    id: "ask-documents",
    type: "document_query",
    fields: { query: isPointing ? questionIn(draft) : unmarked(words, planning.literals) },
    gives: { form: "text", nouns: ["answer"], field: "answer" },
  });
  return true;
}

function questionIn(draft: Draft): string {
  const [first] = draft.current;
  if (first === undefined || first.form === "text") return placeholdersOf(draft.current);
  return fieldOf(first, "question");
}

export function readThinking(text: string, draft: Draft, planning: Planning): boolean {
  const asked = text.replace(MODEL, "");
  if (asked === text && !verbKindsOf(text).has("think") && !QUESTION.test(text)) return false;
  addThought(asked, draft, planning);
  return true;
}

/** Also the fallback for instructions that match no rule. */
export function addThought(text: string, draft: Draft, planning: Planning): string {
  const subject = subjectOf(text, draft);
  const outcome = OUTCOMES.find(([pattern]) => pattern.test(text))?.[1] ?? ["answer", "text"];
  // "Extract the price" outputs a price, but "summarise the page" does not output a page.
  const nouns = NAMES_ITS_OUTCOME.test(text) ? [...nounsIn(text).toReversed(), ...outcome] : outcome;
  return addStep(draft, planning, {
    id: QUESTION.test(text) ? "answer" : plainVerb(text) || "ask",
    type: "llm",
    fields: { prompt: promptOf(imperative(unmarked(text, planning.literals)), subject) },
    gives: { form: "text", nouns, ...(ONE_WORD.test(text) && { about: subject }) },
  });
}

function promptOf(task: string, subject: readonly Product[]): string {
  const end = ONE_WORD.test(task)
    ? " Answer with the category alone, in lower case."
    : /^(?:extract|detect|determin|calculat)/i.test(task)
      ? " Answer with that alone."
      : "";
  const mark = /[.?!]$/.test(task) ? "" : QUESTION.test(task) ? "?" : ".";
  const instruction = `${sentence(task)}${mark}${end}`;
  const isOfInput = subject.every(({ placeholder }) => placeholder === "{{input}}");
  const needsData =
    !isOfInput ||
    !(MAKES_FROM_NOTHING.test(task) || QUESTION.test(task)) ||
    /\b(?:it|this|input|following)\b/i.test(task);
  return needsData ? `${instruction}\n\n${placeholdersOf(subject)}` : instruction;
}
