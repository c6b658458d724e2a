import { addStep, asText, type Draft, type Planning, subjectOf } from "./draft.ts";
import { literalsIn, unmarked } from "./literals.ts";
import { SERVICE } from "./read-http.ts";
import { addThought } from "./read-thinking.ts";
import { sentence } from "./words.ts";

const MAIL =
  /^(?:e-?mail|mail)|\b(?:send|write)\w*\b.*\be-?mail\b|^(?:send|forward|notify|alert|tell|inform|report|deliver|share|rout|redirect)\w*\b/i;
const PERSON =
  /\b(?:me|us|team|customers?|users?|subscribers?|members?|owner|manager|boss|client|admin|support|sender|author|them|him|her|everyone|people)\b/i;

const UNWRITTEN =
  /^send\w*\s+((?:an?|the)\s+(?:(?:[\w-]+\s+){1,2}e-?mail|(?:[\w-]+\s+){0,2}(?:invitation|reminder|newsletter)))\b/i;

export function readMail(text: string, draft: Draft, planning: Planning): boolean {
  const addresses = literalsIn(text, "email", planning.literals);
  const saysMail = /\be-?mail|^mail|\b(?:invitation|reminder|newsletter)\b/i.test(text);
  if (!MAIL.test(text) || (addresses.length === 0 && !saysMail && !PERSON.test(text))) return false;
  if (addresses.length === 0 && SERVICE.test(text)) return false;
  if (/^(?:draft|write|compose|generate)/i.test(text) && addresses.length === 0) return false;
  const to = addresses.length > 1 ? addresses : (addresses[0] ?? recipient(text, draft, planning));
  // "Send a welcome email": a model writes the text first.
  const unwritten = UNWRITTEN.exec(text)?.[1];
  if (
    unwritten !== undefined &&
    draft.current.every(({ form }) => form === "data") &&
    bodyOf(text, planning) === undefined
  )
    addThought(`write ${unwritten}`, draft, planning);
  const subject = subjectOf(text, draft);
  addStep(draft, planning, {
    id: "email",
    type: "email",
    fields: {
      to,
      subject: subjectLine(text, draft, planning),
      text: bodyOf(text, planning) ?? asText(subject),
    },
  });
  return true;
}

/** Inside a loop, the address of the item; "me" and "the team" are variables of the owner. */
function recipient(text: string, draft: Draft, planning: Planning): string {
  if (draft.isLoop) return /address|e-?mail|recipient/i.test(draft.itemNoun) ? "{{item}}" : "{{item.email}}";
  if (/\b(?:customers?|users?|clients?|subscribers?|members?|sender|author|them|him|her)\b/i.test(text))
    return "{{input.email}}";
  planning.notices.push({
    code: "needs_variable",
    message: "Set the variable notifyEmail to the address that the email goes to.",
  });
  return "{{vars.notifyEmail}}";
}

function subjectLine(text: string, draft: Draft, planning: Planning): string {
  const quoted = /\b(?:subject|titled|title)\s*(?:line|of|is|:)?\s*(«\d+»)/i.exec(text)?.[1];
  if (quoted !== undefined) return literalsIn(quoted, "quote", planning.literals)[0] ?? "Result";
  const about = /\babout\s+([^,.«]+)/i.exec(text)?.[1]?.trim();
  if (about !== undefined) return sentence(about);
  const [noun] = subjectOf(text, draft)[0]?.nouns ?? [];
  return noun === undefined || noun === "input" || noun === "item" ? "{{workflow.name}}" : sentence(noun);
}

function bodyOf(text: string, planning: Planning): string | undefined {
  const says = /\b(?:saying|that\s+says|with\s+the\s+(?:text|message|body)|message)\s*:?\s*(«\d+»)/i.exec(
    text,
  )?.[1];
  const quoted = says === undefined ? undefined : literalsIn(says, "quote", planning.literals)[0];
  if (quoted !== undefined) return quoted;
  const that = /\b(?:that|saying)\s+(?!says)(.+)$/i.exec(text)?.[1];
  return that === undefined ? undefined : sentence(unmarked(that, planning.literals));
}
