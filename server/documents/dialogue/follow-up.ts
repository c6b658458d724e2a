import { asksForOverview } from "../answer/overview.ts";
import { termsOf } from "../retrieve/terms.ts";

/** An earlier question of the dialogue and its answer. */
export interface Turn {
  question: string;
  answer: string;
}

/**
 * The question with what it leaves to the dialogue, without a model. A question is a follow-up only if its form says
 * so; every other question is returned unchanged, so that an earlier subject never changes the answer to a new one.
 *
 * | form | example | result |
 * |---|---|---|
 * | only a question word | Why? | the earlier question is added |
 * | begins like a continuation, without a verb | and in 2024? | takes its place in the earlier question |
 * | a pronoun that nothing in the question explains | who wrote it? | the pronoun is replaced by the earlier subject |
 */
export function resolveFollowUp(query: string, history: readonly Turn[]): string {
  let previous: Turn | undefined;
  for (const { question, answer } of history)
    previous = { question: resolveWith(question, previous), answer };
  return resolveWith(query, previous);
}

function resolveWith(query: string, previous: Turn | undefined): string {
  const question = query.trim();
  if (previous === undefined || asksForOverview(question)) return query;
  const rest = question.replace(CONTINUATION, "");
  if (isQuestionWordOnly(rest)) return `${capitalized(rest)} ${previous.question}`;
  if (isFragment(question, rest)) return insertInto(previous.question, rest);
  return replacePronoun(rest, previous) ?? query;
}

const CONTINUATION =
  /^(?:(?:and|or|but|so|also|then|what about|how about|und|oder|et|ou|pero|y|e|och|en)(?=[\s,:])[\s,:]+)+/iu;
const QUESTION_WORD =
  /(?<!\p{L})(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had|wer|wen|wem|was|welche[rsnm]?|wann|wo|warum|wie|ist|sind|war|hat|haben|kann|muss|darf|gilt|qui|que|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien|est|sont|quién|qué|cuál|cuándo|dónde|cómo|cuánto|son)(?!\p{L})/iu;
const PREPOSITION =
  /^(?:in|for|at|on|by|with|without|from|to|after|before|during|since|until|under|per|für|im|am|bei|mit|ohne|nach|vor|seit|bis|pour|dans|en|avec|sans|chez|para|con|sin)(?!\p{L})/iu;
const YEAR = /\b(?:1[5-9]|20|21)\d\d\b/g;

function isQuestionWordOnly(text: string): boolean {
  return QUESTION_WORD.test(text) && wordsOf(text).length <= 2 && termsOf(text).length === 0;
}

/** "in 2024?", "and the Orsk?": no verb, and it begins with a continuation or a preposition, or is only a year. */
function isFragment(question: string, rest: string): boolean {
  if (rest === "" || QUESTION_WORD.test(rest) || wordsOf(rest).length > 8) return false;
  return rest !== question || PREPOSITION.test(rest) || rest.replace(YEAR, "").replace(/\W/g, "") === "";
}

/** A year takes the place of the year, a name that of the only name; anything else is added to the question or its subject. */
function insertInto(question: string, fragment: string): string {
  const own = fragment.replace(/(?<![?.!\s])[?.!\s]+$/, "");
  const years = own.match(YEAR) ?? [];
  const names = namesIn(own, { isSentence: false });
  const others = termsOf(names.reduce((text, name) => text.replace(name, " "), own.replace(YEAR, " ")));
  const [earlierName, ...moreNames] = namesIn(question);
  if (others.length === 0) {
    if (years.length === 1 && names.length === 0 && question.match(YEAR)?.length === 1)
      return question.replace(YEAR, years[0]!);
    if (names.length === 1 && years.length === 0 && earlierName !== undefined && moreNames.length === 0)
      return question.replace(earlierName, names[0]!);
  }
  if (PREPOSITION.test(own) || others.length === 0)
    return `${question.replace(/(?<![?.!\s])[?.!\s]+$/, "")} ${own}?`;
  const subject = subjectOf(question);
  return `${capitalized(own)} of ${subject}?`;
}

// "Is it possible to …" refers to nothing, and so does "gibt es".
const EXPLETIVE =
  /\bit (?:is |be )?(?:possible|necessary|allowed|permitted|required|legal|safe|true|important|worth)\b|\btime is it\b/i;
const PRONOUN =
  /\b(?:it|its|they|them|their|he|him|his|she|her)\b|\b(?:this|that|these|those|there)(?=\s*[?.!]*$)|(?<=\b(?:is|are|was|were|does|do|did)\s)(?:this|that|these|those)\b/i;
const POSSESSIVE = /^(?:its|their|his|her)$/i;
const OF_A_PERSON = /^(?:he|him|his|she|her|they|them|their)$/i;

function replacePronoun(question: string, { question: earlier, answer }: Turn): string | undefined {
  const match = PRONOUN.exec(question);
  if (match === null || EXPLETIVE.test(question)) return undefined;
  const before = question.slice(0, match.index);
  const after = question.slice(match.index + match[0].length);
  // "Does the pump leak when it runs?": the question itself says what "it" is.
  if (termsOf(before).length > 1) return undefined;
  const person = OF_A_PERSON.test(match[0]) ? personIn(answer) : undefined;
  const subject = person ?? subjectOf(earlier);
  const isPossessive = POSSESSIVE.test(match[0]) && /^\s+\p{L}/u.test(after);
  return capitalized(`${before}${subject}${isPossessive ? "’s" : ""}${after}`);
}

/** The names in a question; else what follows its last "of", "for" or "about"; else its words after the question words. */
function subjectOf(question: string): string {
  const plain = question.replace(/(?<![?.!\s])[?.!\s]+$/, "");
  const names = namesIn(plain);
  if (names.length > 0) return names.join(" ");
  const tail = /.*\s(?:of|for|about|from|von|für|über|de|du|des|del)\s+(.+)$/iu.exec(plain)?.[1];
  if (tail !== undefined && termsOf(tail).length > 0) return tail;
  return wordsOf(plain)
    .filter((word) => termsOf(word).length > 0 && !QUESTION_WORD.test(word))
    .join(" ");
}

const NAME =
  /[“"„«]([^”"“»]{2,80})[”"“»]|\p{Lu}[\p{L}\p{N}&'’-]*(?:\s+(?:\p{Lu}[\p{L}\p{N}&'’-]*|\d{1,3}\b))*/gu;

/** Quoted words and runs of capitalized words ("Halden 40"). The capital that begins a sentence makes no name. */
function namesIn(text: string, { isSentence = true } = {}): string[] {
  return [...text.matchAll(NAME)].flatMap(({ 0: found, 1: quoted, index }) => {
    if (quoted !== undefined) return [quoted];
    const words = found.split(/\s+/);
    const isFirst = isSentence && index === 0;
    if (isFirst && (words.length === 1 || termsOf(words[0]!).length === 0)) words.shift();
    return words.length > 0 ? [words.join(" ")] : [];
  });
}

/** "… led by Anna Berg since 2019": the first run of two capitalized words, without the titles of the sources. */
function personIn(answer: string): string | undefined {
  const text = answer.replace(/\([^()]*\)/g, "").replace(/\[[\d,\s]+\]/g, "");
  return /(?<!\p{L})\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+(?!\p{L})/u.exec(text)?.[0];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
