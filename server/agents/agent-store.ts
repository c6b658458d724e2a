import type { Agent } from "../../contract/agents.ts";
import type { PageQuery } from "../../contract/api.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

export interface AgentRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  role: string;
  provider: string | null;
  model: string | null;
  capabilities: string[];
  systemPrompt: string;
  temperature: number | null;
  tools: { workflows: string[]; documents: string[] };
  createdAt: number;
  updatedAt: number;
}

export interface AgentStore {
  insert(agent: AgentRecord): Promise<void>;
  /** Throws `agent_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<AgentRecord>;
  /** Those of these ids that are registered by this owner, in no order. */
  some(ids: readonly string[], ownerId: string): Promise<AgentRecord[]>;
  /** The owner's oldest agent that lists this capability, in any case. */
  byCapability(capability: string, ownerId: string): Promise<AgentRecord | undefined>;
  list(ownerId: string, page: PageQuery): Promise<Page<AgentRecord>>;
  update(agent: AgentRecord): Promise<void>;
  remove(id: string, ownerId: string): Promise<void>;
}

export function toAgent({ ownerId: _ownerId, createdAt, updatedAt, ...agent }: AgentRecord): Agent {
  return { ...agent, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}
