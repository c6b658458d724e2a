import type { PageQuery } from "../../contract/api.ts";
import type { ExternalAgent, Team, Topology } from "../../contract/teams.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

export interface TeamRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  agents: string[];
  externalAgents: ExternalAgent[];
  topology: Topology;
  secretHash: string;
  createdAt: number;
  updatedAt: number;
}

export interface TeamStore {
  insert(team: TeamRecord): Promise<void>;
  /** Throws `team_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<TeamRecord>;
  /** By id alone, for the step that drives sessions and for callers who show the team's secret. */
  find(id: string): Promise<TeamRecord | undefined>;
  list(ownerId: string, page: PageQuery): Promise<Page<TeamRecord>>;
  /** Everything but the secret. */
  update(team: TeamRecord): Promise<void>;
  replaceSecret(id: string, ownerId: string, secretHash: string, now: number): Promise<TeamRecord>;
  /** Its sessions and their logs go with it. */
  remove(id: string, ownerId: string): Promise<void>;
}

export function toTeam({
  ownerId: _owner,
  secretHash: _hash,
  createdAt,
  updatedAt,
  ...team
}: TeamRecord): Team {
  return { ...team, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}
