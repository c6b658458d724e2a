import type { KeyScope } from "../../../contract/keys.ts";

interface ScopeOption {
  value: KeyScope;
  label: string;
  description: string;
}

/** What each scope of an API key allows, in the words of the form. */
export const SCOPE_GROUPS: readonly { label: string; options: readonly ScopeOption[] }[] = [
  {
    label: "Use what you published",
    options: [
      { value: "endpoints", label: "Endpoints", description: "Call the public endpoints of your workflows." },
      {
        value: "mcp",
        label: "MCP",
        description: "Use your exposed tools at /mcp from Claude, Cursor and other MCP clients.",
      },
      {
        value: "chat",
        label: "Chat",
        description: "Use exposed workflows, agents and teams as models at /v1.",
      },
      { value: "a2a", label: "A2A", description: "Send tasks to your A2A agents." },
    ],
  },
  {
    label: "Read",
    options: [
      {
        value: "workflows:read",
        label: "Read workflows",
        description: "Workflows, agents, teams, triggers and variables.",
      },
      { value: "runs:read", label: "Read runs", description: "Runs with their results, and statistics." },
      { value: "documents:read", label: "Read documents", description: "Documents, and questions to them." },
      {
        value: "connections:read",
        label: "Read connections",
        description: "Names and status of connections, never their secrets.",
      },
      {
        value: "workspace:read",
        label: "Read the workspace",
        description: "API keys, service accounts and settings.",
      },
    ],
  },
  {
    label: "Change",
    options: [
      {
        value: "workflows:write",
        label: "Change workflows",
        description: "Create, change, publish and delete them. Includes reading.",
      },
      {
        value: "runs:write",
        label: "Control runs",
        description: "Run, rerun, cancel and approve. Includes reading.",
      },
      {
        value: "documents:write",
        label: "Change documents",
        description: "Upload and delete them. Includes reading.",
      },
      {
        value: "connections:write",
        label: "Change connections",
        description: "Create, test and delete them. Includes reading.",
      },
      {
        value: "workspace:write",
        label: "Change the workspace",
        description: "Create and revoke API keys and service accounts. Includes reading.",
      },
    ],
  },
];

interface KeyPreset {
  value: string;
  label: string;
  note: string;
  scopes: readonly KeyScope[];
}

/** What most programs need. `custom` keeps the scopes that were chosen last. */
export const KEY_PRESETS: readonly KeyPreset[] = [
  { value: "run", label: "Run workflows", note: "Call their public endpoints", scopes: ["endpoints"] },
  {
    value: "deploy",
    label: "Deploy from CI",
    note: "Change, publish and run workflows",
    scopes: ["workflows:write", "runs:write"],
  },
  { value: "runs", label: "Read runs", note: "Runs, results and statistics", scopes: ["runs:read"] },
  {
    value: "documents",
    label: "Documents",
    note: "Upload, delete and query documents",
    scopes: ["documents:write"],
  },
  { value: "mcp", label: "MCP", note: "Use your tools from Claude, Cursor and others", scopes: ["mcp"] },
];

const OPTIONS = SCOPE_GROUPS.flatMap(({ options }) => options);

export function scopeLabel(scope: KeyScope): string {
  return OPTIONS.find(({ value }) => value === scope)?.label ?? scope;
}
