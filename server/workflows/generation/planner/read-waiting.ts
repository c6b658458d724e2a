import { addStep, type Draft, placeholdersOf, type Planning, subjectOf } from "./draft.ts";
import { literalsIn, unmarked } from "./literals.ts";
import { sentence } from "./words.ts";

const UNITS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  s: 1,
  minute: 60,
  min: 60,
  m: 60,
  hour: 3600,
  hr: 3600,
  h: 3600,
  day: 86_400,
  week: 604_800,
};
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  "half an": 0.5,
  "a few": 3,
  "a couple of": 2,
};
const DURATION =
  /(\d+(?:\.\d+)?|half an|a few|a couple of|[a-z]+)\s*-?\s*(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?)\b/gi;
const UNTIL = /\buntil\s+(\d{4}-\d\d-\d\d(?:t[\d:.]+(?:z|[+-]\d\d:?\d\d)?)?)/i;

const APPROVAL =
  /\bapprov|\bsign[\s-]?off\b|\bconfirm(?:ation|s|ed)?\b|\bpermission\b|\bgo[\s-]ahead\b|\b(?:human|manual|manager|person|me|us|my|team|lead|boss|editor)\b.*\breview|\breview\s+(?:it\s+)?by\b|\bhuman[\s-]in[\s-]the[\s-]loop\b/i;
const ASKS_A_PERSON = /^(?:ask|check\s+with|prompt|let|have)\b/i;
const ASKS_A_MACHINE =
  /\b(?:model|ai|gpt|llm|chatgpt|claude|gemini|agent|documents?|handbook|manual|pdfs?|knowledge\s+base)\b/i;

export function readDelay(text: string, draft: Draft, planning: Planning): boolean {
  if (!/^(?:wait|paus|sleep|delay|hold)/i.test(text)) return false;
  const until = UNTIL.exec(unmarked(text, planning.literals))?.[1];
  const seconds = secondsIn(text);
  if (until === undefined && seconds === 0) return false;
  const fields = until === undefined ? { seconds } : { until: until.toUpperCase() };
  addStep(draft, planning, { id: "wait", type: "delay", fields });
  return true;
}

function secondsIn(text: string): number {
  let sum = 0;
  for (const [, amount = "", unit = ""] of text.matchAll(DURATION)) {
    const number = NUMBERS[amount.toLowerCase()] ?? Number(amount);
    const size = UNITS[unit.toLowerCase().replace(/(?<=..)s$/, "")] ?? 0;
    if (!Number.isNaN(number)) sum += number * size;
  }
  return sum;
}

/** "Ask Anna", "get my approval", "wait for sign-off": a person decides before the run continues. */
export function readApproval(text: string, draft: Draft, planning: Planning): boolean {
  const asksPerson = ASKS_A_PERSON.test(text) && !ASKS_A_MACHINE.test(text);
  if (!APPROVAL.test(text) && !asksPerson) return false;
  if (text === "approved" && planning.hasApproval) return true;
  planning.hasApproval = true;
  addStep(draft, planning, {
    id: "approve",
    type: "approval",
    fields: { message: messageOf(text, draft, planning) },
  });
  return true;
}

function messageOf(text: string, draft: Draft, planning: Planning): string {
  const [quoted] = literalsIn(text, "quote", planning.literals);
  const shown = placeholdersOf(subjectOf(text, draft));
  const question =
    quoted ?? (text === "approved" ? "Please approve" : sentence(unmarked(text, planning.literals)));
  return `${question}${/[.?!]$/.test(question) ? "" : "."}\n\n${shown}`;
}
