import { STRONG_VERB, VERB_AHEAD } from "./verbs.ts";

/** The parsed instructions in order. Texts still contain the marks of literals. */
export type Instruction =
  | { kind: "do"; text: string }
  | { kind: "if"; test: string; isNegated: boolean; actions: Instruction[]; otherwise: Instruction[] }
  | { kind: "each"; what: string; body: Instruction[] }
  /** A trigger, which a graph cannot express. */
  | { kind: "start"; text: string };

const POLITENESS =
  /^(?:(?:please|hi|hello|hey|ok|okay|so|now|and|also|but|then|first(?:ly|\s+of\s+all)?|second(?:ly)?|third(?:ly)?|next|finally|lastly|afterwards?|after\s+(?:that|this)|at\s+the\s+end|in\s+the\s+end|once\s+(?:that\s+is\s+)?done|after(?=\s+[a-z]+ing\b))\b[\s,:]*)+/i;
const WISH =
  /^(?:(?:can|could|would|will)\s+you|i(?:'d|\s+would)?\s+(?:like|want|need)(?:\s+(?:you|it|a\s+workflow))?(?:\s+(?:to|that|which))?|we\s+(?:want|need)(?:\s+to)?|(?:you|it|the\s+workflow)\s+(?:should|must|needs\s+to|has\s+to|will)|(?:(?:create|build|make|design|set\s+up|generate|give\s+me|write)\s+(?:me\s+)?)?(?:an?|the)?\s*(?:\w+\s+)?(?:workflow|automation|flow|pipeline|process)\s+(?:that|which|to|for|where|:)(?:\s+(?:will|should|can))?|my\s+goal\s+is\s+to|help\s+me(?:\s+to)?)\s*[:,]?\s*/i;
const LIST_MARK = /^\s*(?:\d{1,2}[.)]|[-*•]|step\s+\d+\s*[:.)-])\s+/i;

/** "Process the file: read …" only introduces the instructions after it. */
const HEADING = new RegExp(
  `^(?!(?:if|for|loop|iterate|go|when|unless|with|otherwise|else|ask|every|each|after|once)\\b)[^:«,]{3,60}:\\s+${VERB_AHEAD}`,
  "i",
);
const SCHEDULE =
  /^(?:(?:on\s+)?every\s+(?:\w+\s+)?(?:day|week|month|year|hour|minute|second|morning|evening|night|noon|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d+\s+\w+)s?|each\s+(?:day|week|month|hour|morning|evening|night|monday|friday)|daily|hourly|weekly|monthly|once\s+an?\s+(?:day|week|hour|month)|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?|at\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)?)\b(?:\s+at\s+(?:\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)?|noon|midnight))?[\s,:]*/i;
const SCHEDULE_INSIDE =
  /\s+(?:every\s+(?:\d+\s+)?(?:other\s+)?(?:minute|hour|day|week|month|morning|evening|night|weekday|monday|friday)s?|daily|hourly|once\s+an?\s+(?:day|week|hour))\b(?:\s+at\s+[\d:]+\s*(?:am|pm)?)?/i;
const ARRIVAL =
  /^(?:when(?:ever)?|if|as\s+soon\s+as|every\s+time|each\s+time|after|on)\s+(?:there\s+(?:is|are)\s+)?(?:(?:an?|the|some|any|new|i|we|somebody|someone|my|our)\s+)+[^,]*?\b(?:arrives?|comes?\s+in|(?:is|are|gets?)\s+(?:received|created|submitted|posted|added|opened|uploaded|pushed|sent|triggered|called)|receives?|calls?|fires?|signs?\s+up|submits?|happens?|chats?|appears?|fills?\s+in|(?:is|are)\s+published|new\s+(?:items?|entr(?:y|ies)|posts?|articles?|episodes?)\s+in\s+[^,]*feed)\b[^,]*,?\s*(?:then\s+)?/i;

const CONDITION = /^(?:only\s+)?(if|when|unless|in\s+case|should)\s+/i;
/** "Check if it is large, ask …": the part after the comma is the consequence, unless it starts with "and". */
const QUESTION =
  /^(?:check|see|determine|decide|verify|test|find\s+out)\s+(?:if|whether)\s+(?=[^,]+,\s+(?!and\b|if\b))/i;
const OTHERWISE = /^(?:otherwise|else|if\s+not|or\s+else)\b[\s,:]*/i;
const OTHERWISE_INSIDE = /[,;]?\s+(?:otherwise|or\s+else|else|if\s+not)\b[\s,:]*/i;
const EACH =
  /^(?:(?:for|with)\s+(?:each|every|all(?:\s+of)?(?:\s+the)?)|(?:loop|iterate|go)\s+(?:over|through)\s+(?:each|every|all(?:\s+of)?(?:\s+the)?|the))\s+(?:of\s+the\s+)?/i;
/** Words that end a loop within a sentence. */
const AFTER_LOOP =
  /[,;]?\s*(?:and\s+|then\s+)*(?:finally|afterwards|lastly|at\s+the\s+end|when\s+(?:all\s+)?done)\b[\s,]*/i;
const LATER = /^(?:after|in)\s+((?:an?|\d+|\w+)\s+(?:second|minute|hour|day|week)s?)\s*,\s*/i;
const APPROVED =
  /^(?:once|after|when|if)\s+(?:(?:it|that|this|he|she|they|i)(?:'s|\s+is|\s+has\s+been)?\s+)?(?:approves?d?|approval|confirmed|accepted)(?:\s+it)?\s*,?\s*(?:then\s+)?/i;

/** A condition or loop that begins in the middle of a sentence: "fetch it, and if it is empty, …". */
const MIDWAY =
  /(?:[,;]\s*(?:(?:and|then|but)\s+)*|\s+(?:and|then)\s+(?:then\s+)?)(?=(?:if|unless|once|after\s+(?:my\s+|the\s+)?approval|for\s+(?:each|every))\s)/i;

const BETWEEN_CLAUSES = new RegExp(
  `\\s*[,;]?\\s+(?:and\\s+)?then\\s+|\\s*,?\\s+before\\s+(?=[a-z]+ing\\b)|\\s*[,;]\\s*(?:and\\s+)?(?:finally\\s+|also\\s+)?${VERB_AHEAD}|\\s+and\\s+(?:also\\s+)?${VERB_AHEAD}`,
  "gi",
);

// A realistic prompt of 4,000 characters has fewer; bounds the work for hostile input such as 2,000 one-letter lines.
const MAX_SENTENCES = 200;

export function readInstructions(text: string): Instruction[] {
  const list: Instruction[] = [];
  for (const sentence of sentencesOf(text).slice(0, MAX_SENTENCES)) {
    const last = list.at(-1);
    if (OTHERWISE.test(sentence) && last?.kind === "if")
      last.otherwise.push(...readSentence(sentence.replace(OTHERWISE, "")));
    else for (const instruction of readSentence(sentence)) append(list, instruction);
  }
  return list;
}

/** "Check whether it is spam. If so, …": a question without a consequence is the test of the next condition. */
function append(list: Instruction[], next: Instruction): void {
  const last = list.at(-1);
  if (next.kind === "if" && last?.kind === "if" && last.actions.length === 0) {
    list.pop();
    if (/^(?:so|yes|true|it\s+(?:is|does|has)|that\s+is\s+the\s+case)$/i.test(next.test))
      next.test = last.test;
  }
  list.push(next);
}

/** "1. fetch … 2. save …" in one line: consecutive numbers form a list. */
const NUMBER = /(?<![\w.«])(\d{1,2})[.)]\s+(?=[\p{L}«])/gu;
/** "Do this:" before a list is not an instruction. */
const ANNOUNCEMENT = /^[^«,]{1,60}:$/;
const ON_FAILURE = /\b(?:up)?on\s+(?:any\s+|an?\s+)?(?:failures?|errors?)\b/gi;

function listed(text: string): string {
  const [first, second] = text.matchAll(NUMBER);
  return first?.[1] === "1" && second?.[1] === "2" ? text.replaceAll(NUMBER, "\n") : text;
}

function sentencesOf(text: string): string[] {
  return listed(text)
    .replaceAll(ON_FAILURE, "if it fails")
    .split(/(?<=[.!?])\s+|[;\n]+|(?<=\w)\s*→\s*|\s+->\s+/)
    .map((sentence) => plain(sentence.replace(LIST_MARK, "").replace(/[.!?\s]+$/, "")))
    .filter((sentence) => /[\p{L}«]/u.test(sentence) && !ANNOUNCEMENT.test(sentence));
}

/** Removes introductory words. */
function plain(text: string): string {
  let before: string;
  let rest = text.trim();
  do {
    before = rest;
    rest = rest.replace(POLITENESS, "").replace(WISH, "").replace(HEADING, "").trim();
  } while (rest !== before);
  return rest;
}

function readSentence(given: string): Instruction[] {
  const sentence = plain(given);
  if (sentence === "") return [];
  for (const pattern of [SCHEDULE, ARRIVAL]) {
    const start = pattern.exec(sentence)?.[0];
    if (start)
      return [
        { kind: "start", text: start.replace(/[\s,:]+$/, "") },
        ...readSentence(sentence.slice(start.length)),
      ];
  }
  const inside = SCHEDULE_INSIDE.exec(sentence)?.[0];
  if (inside) return [{ kind: "start", text: inside.trim() }, ...readSentence(sentence.replace(inside, ""))];
  const later = LATER.exec(sentence);
  if (later)
    return [{ kind: "do", text: `wait ${later[1]}` }, ...readSentence(sentence.slice(later[0].length))];
  const approved = APPROVED.exec(sentence)?.[0];
  if (approved) return [{ kind: "do", text: "approved" }, ...readSentence(sentence.slice(approved.length))];
  if (CONDITION.test(sentence)) return readCondition(sentence);
  if (QUESTION.test(sentence)) return readCondition(sentence.replace(QUESTION, "if "));
  const each = EACH.exec(sentence)?.[0];
  if (each) {
    const [what, rest] = splitHead(sentence.slice(each.length));
    const [body = "", ...after] = rest.split(AFTER_LOOP);
    if (body === "") return readClauses(sentence);
    return [{ kind: "each", what, body: readSentence(body) }, ...after.flatMap((part) => readSentence(part))];
  }
  const midway = MIDWAY.exec(sentence);
  const afterMidway = midway === null ? "" : sentence.slice(midway.index + midway[0].length);
  if (midway !== null && (APPROVED.test(afterMidway) || splitHead(afterMidway)[1] !== ""))
    return [...readClauses(sentence.slice(0, midway.index)), ...readSentence(afterMidway)];
  return readClauses(sentence);
}

function readCondition(sentence: string): Instruction[] {
  const word = CONDITION.exec(sentence)?.[1]?.toLowerCase();
  const [test, rest] = splitHead(sentence.replace(CONDITION, ""));
  if (rest === "") return readClauses(sentence);
  // "if positive, …, if negative, …": the second condition is a sibling of the first, not nested in it.
  const beside = /(?<!\b(?:else|otherwise))[,;]\s*(?:(?:and|but)\s+)?(?=if\s)/i.exec(rest);
  if (beside !== null) {
    const head = sentence.slice(0, sentence.length - rest.length);
    return [
      ...readCondition(head + rest.slice(0, beside.index)),
      ...readSentence(rest.slice(beside.index + beside[0].length)),
    ];
  }
  const [then = "", ...others] = rest.split(OTHERWISE_INSIDE);
  return [
    {
      kind: "if",
      test,
      isNegated: word === "unless",
      actions: readSentence(then),
      otherwise: others.flatMap((other) => readSentence(other)),
    },
  ];
}

/** "the total is over 100, send …" → the two sides of the comma, of "then", or of the first plain verb. */
function splitHead(text: string): [string, string] {
  const comma = /\s*(?:,\s*then\s+|\s+then\s+|,\s+|:\s+)/.exec(text);
  const verb = STRONG_VERB.exec(text);
  const split = verb === null || (comma !== null && comma.index < verb.index) ? comma : verb;
  if (split === null) return [text, ""];
  return [text.slice(0, split.index).trim(), text.slice(split.index + split[0].length).trim()];
}

/** "do this, do that and do the other": one instruction each; "… if …" at the end belongs to the last one. */
function readClauses(sentence: string): Instruction[] {
  const clauses = sentence.split(BETWEEN_CLAUSES).map((clause) => plain(clause ?? "").replace(/[,\s]+$/, ""));
  return clauses.filter(Boolean).flatMap((clause, index): Instruction[] => {
    if (index > 0 && (CONDITION.test(clause) || EACH.test(clause))) return readSentence(clause);
    const trailing = /^(.+?),?\s+(?:only\s+)?(if|when|unless|whether)\s+(.+)$/i.exec(clause);
    // "Ask Anna whether to publish" is one instruction.
    if (trailing === null || /^(?:ask|let|have)\b/i.test(clause)) return [{ kind: "do", text: clause }];
    const [, action = "", word = "", rest = ""] = trailing;
    const [test = "", ...others] = rest.split(OTHERWISE_INSIDE);
    const isQuestion = /^(?:check|see|determine|decide|verify|test|find\s+out)$/i.test(action);
    return [
      {
        kind: "if",
        test,
        isNegated: word.toLowerCase() === "unless",
        actions: isQuestion ? [] : [{ kind: "do", text: action }],
        otherwise: others.flatMap((other) => readSentence(other)),
      },
    ];
  });
}
