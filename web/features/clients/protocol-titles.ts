import type { ExposureKind, Protocol } from "../../api/exposures.ts";

export const PROTOCOL_TITLES: Readonly<Record<Protocol, string>> = { mcp: "MCP", a2a: "A2A", chat: "Chat" };

export const KIND_TITLES: Readonly<Record<ExposureKind, string>> = {
  workflow: "Workflow",
  agent: "Agent",
  team: "Team",
  documents: "Documents",
};
