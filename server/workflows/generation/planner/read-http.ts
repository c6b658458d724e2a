import {
  addSideBySide,
  addStep,
  asText,
  type Draft,
  type NewStep,
  type Planning,
  type Product,
  subjectOf,
} from "./draft.ts";
import { literalsIn } from "./literals.ts";
import { addThought } from "./read-thinking.ts";
import { camelCase, nounsIn } from "./words.ts";
import { plainVerb, verbKindsOf } from "./verbs.ts";

const SPOKEN_METHOD: [RegExp, string][] = [
  [/^(?:delet|remov)/i, "DELETE"],
  [/^patch/i, "PATCH"],
  [/^(?:put|updat|replac)/i, "PUT"],
  [
    /^(?:post|send|submit|push|publish|forward|upload|notify|alert|report|deliver|creat|share|messag|tell|inform|pay)/i,
    "POST",
  ],
];

/** Services referred to by name; their URL is a variable of the owner. */
export const SERVICE =
  /\b(?:to|on|in|via|using)\s+(?:the\s+|our\s+|my\s+|a\s+)?(slack|discord|teams|telegram|mattermost)\b/i;
const NAMED_API = /\b(?:the|our|my|an?)\s+((?:\w+\s+){0,2}?)(?:api|endpoint|web\s?hook|rest\s+service)\b/i;

/** A URL given in the input. */
const GIVEN_PAGE =
  /\b(?:an?|the|this|that|given|any)\s+(?:given\s+)?(?:url|link|web\s?page|website|web\s+address|page|site)\b/i;

export function readHttp(text: string, draft: Draft, planning: Planning): boolean {
  const urls = literalsIn(text, "url", planning.literals).map((url) => withPlaceholders(url, draft));
  if (urls.length === 0 && verbKindsOf(text).has("read") && GIVEN_PAGE.test(text))
    urls.push(`{{${draft.isLoop ? "item" : "input"}.url}}`);
  if (urls.length === 0) {
    const variable = namedAddress(text);
    if (variable === undefined) return false;
    planning.notices.push({
      code: "needs_variable",
      message: `Set the variable ${variable} to the web address that this step calls.`,
    });
    urls.push(`{{vars.${variable}}}`);
  }
  const method = methodOf(text);
  const subject = subjectOf(text, draft);
  const nouns = ["response", "page", ...nounsIn(text)];
  const kinds = verbKindsOf(text);
  const verb = kinds.has("read") || kinds.has("send") ? plainVerb(text) : "";
  const steps = urls.map((url): NewStep => {
    const fields = { method, url, ...(hasBody(method) ? { body: bodyOf(url, text, subject) } : {}) };
    const id = verb || { GET: "fetch", DELETE: "delete", POST: "post" }[method] || "send";
    return method === "GET"
      ? { id, type: "http", fields, gives: { form: "data", nouns } }
      : { id, type: "http", fields };
  });
  if (method === "GET") addSideBySide(draft, planning, steps);
  else for (const step of steps) addStep(draft, planning, step);
  // "Summarise https://…" needs two steps: fetch the page, then summarise it.
  if (verb === "" && kinds.has("think"))
    addThought(
      text
        .replaceAll(/«\d+»/g, "it")
        .replace(NAMED_API, "it")
        .replace(/\s+(?:from|at)\s+it\b/i, ""),
      draft,
      planning,
    );
  return true;
}

function methodOf(text: string): string {
  const named = /\b(GET|POST|PUT|PATCH|DELETE)\b/.exec(text)?.[1];
  if (named !== undefined) return named;
  if (/\ba?\s*post\s+request\b/i.test(text)) return "POST";
  return SPOKEN_METHOD.find(([pattern]) => pattern.test(text))?.[1] ?? (SERVICE.test(text) ? "POST" : "GET");
}

function hasBody(method: string): boolean {
  return method !== "GET" && method !== "DELETE";
}

/** `https://x.example/users/{id}` → the id of the item or of the input. */
function withPlaceholders(given: string, draft: Draft): string {
  const url = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const root = draft.isLoop ? "item" : "input";
  return url.replaceAll(/(?<!\{)\{(\w+)\}(?!\})|(?<=\/):(\w+)/g, (_match, braced: string, colon: string) => {
    const name = braced ?? colon;
    return `{{${root}.${name}}}`;
  });
}

function namedAddress(text: string): string | undefined {
  const service = SERVICE.exec(text)?.[1];
  if (service !== undefined) return `${service.toLowerCase()}WebhookUrl`;
  const kinds = verbKindsOf(text);
  if (!kinds.has("read") && !kinds.has("send") && !kinds.has("think")) return undefined;
  const words = NAMED_API.exec(text)?.[1]?.trim().split(/\s+/).filter(Boolean);
  return words === undefined ? undefined : camelCase([...words, "api", "url"]);
}

function bodyOf(url: string, text: string, subject: readonly Product[]): unknown {
  const [only] = subject;
  if (/discord/i.test(url)) return { content: asText(subject) };
  if (/slack|teams|mattermost|telegram/i.test(url)) return { text: asText(subject) };
  if (only === undefined) return { text };
  if (subject.length > 1)
    return Object.fromEntries(
      subject.map(({ nouns, placeholder }, index) => [nouns[0] ?? `part${index + 1}`, placeholder]),
    );
  return only.form === "text" ? { [only.nouns[0] ?? "text"]: only.placeholder } : only.placeholder;
}
