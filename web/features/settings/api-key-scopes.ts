import type { AccessScope } from "../../../contract/keys.ts";

/** What each scope of an API key opens, in the words of the form. */
export const API_KEY_SCOPES: readonly { value: AccessScope; label: string; description: string }[] = [
  { value: "endpoints", label: "Endpoints", description: "Call the public endpoints of your workflows." },
  {
    value: "mcp",
    label: "MCP",
    description: "Use your exposed tools at /mcp from Claude, Cursor and other MCP clients.",
  },
  { value: "chat", label: "Chat", description: "Use exposed workflows, agents and teams as models at /v1." },
  { value: "a2a", label: "A2A", description: "Send tasks to your A2A agents." },
];

export function scopeLabel(scope: AccessScope): string {
  return API_KEY_SCOPES.find(({ value }) => value === scope)?.label ?? scope;
}
