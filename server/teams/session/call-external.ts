import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type { ExternalAgent } from "../../../contract/teams.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";
import type { MessageRecord } from "../session-record.ts";
import { textOf } from "./transcript.ts";

export interface CallExternalDeps {
  egress: Pick<Egress, "fetch">;
  clock: Clock;
}

/** Resolves to the agent's immediate reply; undefined if it only acknowledged the message. */
export type CallExternal = (
  agent: ExternalAgent & { url: string },
  message: MessageRecord,
  signal: AbortSignal,
) => Promise<Record<string, unknown> | undefined>;

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const CARD_CACHE_MS = 10 * 60_000;
const MAX_CARDS = 1000;

/** Sends one message to an external agent's URL: over A2A if the URL serves an agent card, otherwise as a webhook. */
export function createCallExternal({ egress, clock }: CallExternalDeps): CallExternal {
  const cards = new Map<string, { rpcUrl: string | undefined; until: number }>();

  async function post(
    url: string,
    body: unknown,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const response = await egress.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (response.status < 200 || response.status > 299) {
      throw new AppError(
        "external_agent_failed",
        `${new URL(url).host} responded with status ${response.status}.`,
      );
    }
    return parsed(response.body.toString("utf8"));
  }

  /** The agent's A2A 1.0 JSON-RPC URL from its card; cached, also if there is none. */
  async function rpcUrlOf(url: string, signal: AbortSignal): Promise<string | undefined> {
    const known = cards.get(url);
    if (known !== undefined && known.until > clock.now()) return known.rpcUrl;
    const address = `${url.replace(/\/+$/, "")}/.well-known/agent-card.json`;
    const response = await egress.fetch(address, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
    const card = response.status === 200 ? parsed(response.body.toString("utf8")) : undefined;
    const rpcUrl = interfaceUrl(card);
    if (cards.size >= MAX_CARDS) cards.clear();
    cards.set(url, { rpcUrl, until: clock.now() + CARD_CACHE_MS });
    return rpcUrl;
  }

  return async ({ url }, message, signal) => {
    const rpcUrl = await rpcUrlOf(url, signal);
    if (rpcUrl === undefined) {
      const { id, sessionId, teamId, seq, from, to, type, content } = message;
      const response = await post(
        url,
        { messageId: id, sessionId, teamId, seq, from, to, type, content },
        { "idempotency-key": id },
        signal,
      );
      return webhookReply(response);
    }
    const request = {
      jsonrpc: "2.0",
      id: message.id,
      method: "SendMessage",
      params: {
        message: {
          messageId: message.id,
          role: "ROLE_USER",
          parts: [{ text: textOf(message.content) }],
          metadata: { sessionId: message.sessionId, from: message.from.id },
        },
      },
    };
    return a2aReply(await post(rpcUrl, request, { "a2a-version": "1.0" }, signal));
  };
}

function interfaceUrl(card: unknown): string | undefined {
  const interfaces =
    isRecord(card) && Array.isArray(card["supportedInterfaces"])
      ? (card["supportedInterfaces"] as unknown[])
      : [];
  const found = interfaces
    .filter(isRecord)
    .find(
      (entry) => entry["protocolBinding"] === "JSONRPC" && String(entry["protocolVersion"]).startsWith("1."),
    );
  return typeof found?.["url"] === "string" ? found["url"] : undefined;
}

/** Only a body with `content` is a reply: `{"ok": true}` just acknowledges the message. */
function webhookReply(response: unknown): Record<string, unknown> | undefined {
  const content = isRecord(response) ? response["content"] : undefined;
  if (isRecord(content)) return content;
  return typeof content === "string" && content !== "" ? { text: content } : undefined;
}

function a2aReply(response: unknown): Record<string, unknown> | undefined {
  if (!isRecord(response))
    throw new AppError("external_agent_failed", "The agent's response is not JSON-RPC.");
  if (isRecord(response["error"])) {
    throw new AppError(
      "external_agent_failed",
      `The agent returned an error: ${String(response["error"]["message"] ?? "no reason given").slice(0, 300)}`,
    );
  }
  const result = isRecord(response["result"]) ? response["result"] : {};
  const task = isRecord(result["task"]) ? result["task"] : {};
  const status = isRecord(task["status"]) ? task["status"] : {};
  const artifacts = Array.isArray(task["artifacts"]) ? (task["artifacts"] as unknown[]) : [];
  const text = [...artifacts, status["message"], result["message"]]
    .map(partsText)
    .filter((part) => part !== "")
    .join("\n\n");
  return text === "" ? undefined : { text };
}

function partsText(holder: unknown): string {
  const parts = isRecord(holder) && Array.isArray(holder["parts"]) ? (holder["parts"] as unknown[]) : [];
  return parts
    .filter(isRecord)
    .map((part) =>
      typeof part["text"] === "string"
        ? part["text"]
        : part["data"] === undefined
          ? ""
          : JSON.stringify(part["data"]),
    )
    .filter((text) => text !== "")
    .join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
