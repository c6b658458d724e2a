import { createHash } from "node:crypto";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isStoreKey, STORE_KEY_RULE } from "../../contract/store.ts";
import { invalidRequest } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { KeyValueStore } from "../store/key-value-store.ts";

export type AgentMemory = Pick<KeyValueStore, "get" | "set" | "remove" | "listScope">;

const MAX_LISTED = 100;
const CONVERSATION_MEMORY_MS = 30 * 24 * 3600 * 1000;

/**
 * The memory of an agent: values in the store whose scope is the agent. A repeated call writes the same again. In a chat each
 * conversation has its own: visitors must not read what others have said.
 */
export function createMemoryTools(
  memory: AgentMemory,
  { ownerId, agentId, conversation }: { ownerId: string; agentId: string; conversation?: string | undefined },
): ModelTool[] {
  const scope = conversation === undefined ? agentId : `${agentId}:${hashOf(conversation)}`;
  const placeOf = (key: unknown) => {
    const text = String(key);
    if (!isStoreKey(text)) throw invalidRequest(`The key ${STORE_KEY_RULE}.`);
    return { ownerId, scope, key: text };
  };
  return [
    {
      name: "remember",
      title: "Remember",
      description:
        "Keeps a value under a key for your later runs, such as a preference or the state of a task. An empty value forgets it.",
      inputSchema: {
        type: "object",
        properties: {
          key: { type: "string", description: "A short name" },
          value: { type: "string", description: "What to remember" },
        },
        required: ["key", "value"],
      },
      async execute({ key, value }) {
        const place = placeOf(key);
        if (value === undefined || value === null || value === "") return memory.remove(place);
        // Visitors leave without a word, and the store of the owner has a limit.
        const expiresInMs = conversation === undefined ? undefined : CONVERSATION_MEMORY_MS;
        return memory.set(place, value as JsonValue, expiresInMs);
      },
    },
    {
      name: "recall",
      title: "Recall",
      description:
        "Returns the value under a key, or, without a key, everything that you remember. Values may be out of date: check them.",
      inputSchema: {
        type: "object",
        properties: { key: { type: "string", description: "The name; without it, everything is listed" } },
      },
      async execute({ key }) {
        if (key !== undefined && key !== null && key !== "") return memory.get(placeOf(key));
        const { items } = await memory.listScope(ownerId, scope, {
          prefix: "",
          after: "",
          limit: MAX_LISTED,
        });
        return items.map(({ key: name, value, updatedAt }) => ({
          key: name,
          value: (value ?? null) as JsonValue,
          updatedAt,
        }));
      },
    },
  ];
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
