/**
 * Services whose JSON responses are documented to be one object, never a list: lists are in a field of it. n8n runs the
 * next nodes once then. Services that return a list for some requests, such as GitHub, are not among them.
 */
const OBJECT_HOSTS = new Set([
  "api.airtable.com",
  "api.anthropic.com",
  "api.cohere.com",
  "api.deepseek.com",
  "api.firecrawl.dev",
  "api.groq.com",
  "api.linear.app",
  "api.mistral.ai",
  "api.monday.com",
  "api.notion.com",
  "api.openai.com",
  "api.perplexity.ai",
  "api.stripe.com",
  "api.telegram.org",
  "api.twilio.com",
  "api.voyageai.com",
  "api.x.ai",
  "generativelanguage.googleapis.com",
  "gmail.googleapis.com",
  "language.googleapis.com",
  "maps.googleapis.com",
  "openrouter.ai",
  "places.googleapis.com",
  "serpapi.com",
  "sheets.googleapis.com",
  "docs.googleapis.com",
  "slack.com",
  "texttospeech.googleapis.com",
  "vision.googleapis.com",
]);
/** Requests for a file, or for several responses in one: their content may be a list. */
const OTHER_CONTENT =
  /\/(?:content|download|export|batch|file|files\/[^/?]*)(?:[/?]|$)|stream|alt=media|[?&]alt=/i;
/** Requests of programs that people host themselves: every response of WebDriver and of Qdrant is one object. */
const OBJECT_PATH =
  /^=?\s*https?:\/\/[^/?#]{1,500}(?:\/wd\/hub\/session(?:\/|$)|:6333\/collections(?:\/|$))/i;
const GOOGLE = /^=?\s*https:\/\/www\.googleapis\.com\/(?:youtube|calendar|drive)\/v3\//i;
const ADDRESS = /^=?\s*https?:\/\/([a-z0-9.-]{1,200})([/?][\s\S]{0,2000})?$/i;

/** True for an address whose response is known to be one object. The host is written out: an expression may name any. */
export function returnsObject(url: unknown): boolean {
  if (typeof url === "string" && (OBJECT_PATH.test(url) || GOOGLE.test(url)) && !OTHER_CONTENT.test(url))
    return true;
  const found = typeof url === "string" ? ADDRESS.exec(url.trim()) : null;
  if (found === null) return false;
  const [, host = "", rest = ""] = found;
  return OBJECT_HOSTS.has(host.toLowerCase()) && !OTHER_CONTENT.test(rest);
}
