import { splitSentences } from "../ingest/sentences.ts";
import { mentions, namesIn } from "../retrieve/names.ts";
import { type AnswerKind, answerKindOf, likelyAnswers } from "./answer-kind.ts";
import { isOffice, missingOffices } from "./asked-office.ts";
import { lacksQuantity } from "./asked-quantity.ts";

/** The passage that an answer quotes first, and what is written above it. */
export interface Evidence {
  title: string;
  heading?: string | undefined;
  /** The whole passage. */
  text: string;
}

/**
 * Whether evidence can answer a question: it speaks of its subjects, gives the quantity it asks for, and one of the quotes
 * contains something of the kind it asks for. Nearness alone does not show that: a page about a pump is near to every
 * question about the pump.
 */
export function canAnswer(question: string, evidence: Evidence, quotes: readonly string[]): boolean {
  if (missingSubjects(question, evidence).length > 0 || lacksQuantity(question, evidence.text)) return false;
  const kinds = kindsOf(question);
  return (
    kinds.length === 0 ||
    quotes.some((quote) => kinds.some((kind) => likelyAnswers(kind, quote, question).length > 0))
  );
}

const ASKS_NAME =
  /(?<!\p{L})(?:what (?:is|was) the name of|what (?:is|was) [^?]{1,40} called|wie hei(?:ß|ss)t|comment s['’]appelle|c[óo]mo se llama)(?!\p{L})/iu;
const ASKS_PAST =
  /(?<!\p{L})(?:when (?:was|were|did)|wann (?:wurde|war)|quand a|cuándo (?:se|fue))(?!\p{L})/iu;

/** "When is the oil changed?" is also answered by "every 1,500 hours". Places are not recognised well enough. */
function kindsOf(question: string): AnswerKind[] {
  if (ASKS_NAME.test(question)) return ["person"];
  const kind = answerKindOf(question);
  if (kind === undefined || kind === "place") return [];
  return kind === "time" && !ASKS_PAST.test(question) ? ["time", "count"] : [kind];
}

/**
 * Years, names and offices of a question that the evidence does not speak of. A passage about the revenue of 2024 is near
 * to a question about 2019, and does not answer it.
 */
export function missingSubjects(question: string, evidence: Evidence): string[] {
  const spoken = [evidence.title, evidence.heading ?? "", evidence.text].join("\n");
  return [
    ...missingYears(question, spoken),
    ...namesIn(question).filter((name) => !isOffice(name) && !mentions(spoken, name)),
    ...missingOffices(question, spoken),
    ...brokenRoutes(question, evidence),
  ];
}

const YEAR = /(?<![\p{L}\p{N}.,/–-])(?:19|20)\d\d(?![\p{L}\p{N}])/gu;

/** "2024" is also written "2023/24", "FY24" and "'24". */
function missingYears(question: string, text: string): string[] {
  return (question.match(YEAR) ?? []).filter((year) => {
    const short = year.slice(2);
    const written = new RegExp(`(?<!\\d)${year}(?!\\d)|(?:FY ?|['’]|\\d{4} ?[/–-] ?)${short}(?!\\d)`, "u");
    return !written.test(text);
  });
}

const NAME = "\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)*";
const ROUTE = new RegExp(
  `(?<!\\p{L})(?:from|between|von|zwischen|de|entre|desde) (${NAME}) (?:to|and|nach|und|bis|à|et|a|hasta|y) (${NAME})`,
  "gu",
);

/** "From Ellary to Skerry": a price of each alone is none of both, so one sentence or row must name both. */
function brokenRoutes(question: string, { title, heading = "", text }: Evidence): string[] {
  const units = [
    ...splitSentences(text).map(({ start, end }) => text.slice(start, end)),
    ...text.split("\n"),
  ];
  return [...question.matchAll(ROUTE)].flatMap(([route, from = "", to = ""]) => {
    const ends = [from, to].map((name) => name.split(" "));
    const isTogether = units.some((unit) => {
      const above = `${title}\n${heading}\n${unit}`;
      return ends.every((words) => words.every((word) => mentions(above, word)));
    });
    return isTogether ? [] : [route];
  });
}
