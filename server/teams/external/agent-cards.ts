import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type { Clock } from "../../lib/clock.ts";
import { createSizedCache } from "../../lib/sized-cache.ts";
import { parseAnyJsonText } from "../../lib/untrusted-json.ts";
import type { Egress } from "../../security/egress.ts";
import { trimEndOf } from "../../../contract/trim-end.ts";

/** What Baton reads of an A2A agent card. */
export interface RemoteCard {
  name: string;
  description: string;
  skills: string[];
  /** Its JSON-RPC address; A2A 1.0. */
  rpcUrl: string;
  credentialHeaders: string[];
}

export interface AgentCards {
  /** Undefined when the address serves no card of an A2A 1.0 agent; cached, also then. */
  find(url: string, signal?: AbortSignal): Promise<RemoteCard | undefined>;
  /** As `find`, without the cache. */
  read(url: string, signal?: AbortSignal): Promise<RemoteCard | undefined>;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const CACHE_MS = 10 * 60_000;
/** Of the cards that are kept, for all teams together. */
const MAX_CACHED_CHARACTERS = 4_000_000;
/** A card without any text counts this much. */
const CARD_SIZE = 1000;
const MAX_SKILLS = 100;
const MAX_CREDENTIAL_HEADERS = 20;
const MAX_TEXT = 2000;

export function createAgentCards({
  egress,
  clock,
}: {
  egress: Pick<Egress, "fetch">;
  clock: Clock;
}): AgentCards {
  const known = createSizedCache<{ card: RemoteCard | undefined; until: number }>(MAX_CACHED_CHARACTERS);

  async function read(url: string, signal?: AbortSignal): Promise<RemoteCard | undefined> {
    const response = await egress.fetch(cardUrl(url), {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    const card =
      response.status === 200 ? toCard(await parseAnyJsonText(response.body.toString("utf8"))) : undefined;
    // A slice keeps all of its text in memory, which may be a megabyte; the JSON of the card does not.
    const json = JSON.stringify(card ?? null);
    const kept = (JSON.parse(json) as RemoteCard | null) ?? undefined;
    const size = CARD_SIZE + url.length + json.length;
    known.set(url, { card: kept, until: clock.now() + CACHE_MS }, size);
    return kept;
  }

  return {
    read,
    async find(url, signal) {
      const cached = known.get(url);
      return cached !== undefined && cached.until > clock.now() ? cached.card : read(url, signal);
    },
  };
}

/** The address of the agent, or of its card. */
function cardUrl(url: string): string {
  return new URL(url).pathname.endsWith(".json") ? url : `${trimEndOf(url, "/")}/.well-known/agent-card.json`;
}

function toCard(card: unknown): RemoteCard | undefined {
  if (!isRecord(card)) return undefined;
  const rpcUrl = records(card["supportedInterfaces"]).find(
    (entry) => entry["protocolBinding"] === "JSONRPC" && textOf(entry["protocolVersion"]).startsWith("1."),
  )?.["url"];
  if (typeof rpcUrl !== "string" || rpcUrl.length > MAX_TEXT) return undefined;
  return {
    name: textOf(card["name"]),
    description: textOf(card["description"]),
    skills: records(card["skills"])
      .slice(0, MAX_SKILLS)
      .map(({ name }) => textOf(name)),
    rpcUrl,
    credentialHeaders: credentialHeaders(card["securitySchemes"]),
  };
}

function credentialHeaders(schemes: unknown): string[] {
  const headers = records(isRecord(schemes) ? Object.values(schemes) : []).map((scheme) => {
    const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
    if (isRecord(key) && key["location"] === "header") return textOf(key["name"]).toLowerCase();
    return isRecord(http) && /^bearer$/i.test(textOf(http["scheme"])) ? "authorization" : "";
  });
  return [...new Set(headers)].filter((name) => name !== "").slice(0, MAX_CREDENTIAL_HEADERS);
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}
