import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";

/** An MCP server over Streamable HTTP. */
export interface HttpTarget {
  kind: "http";
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Adds an access token to every request. */
  authProvider?: AuthProvider | undefined;
  /** In place of the guarded fetch: adds the credential of a connection. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** An MCP server that this machine runs as a child process. */
export interface StdioTarget {
  kind: "stdio";
  name: string;
  /** Starts the process; `onFailure` receives the reason when it breaks a limit. */
  open(onFailure: (error: Error) => void): Promise<Transport>;
}

export type McpTarget = HttpTarget | StdioTarget;

export interface McpCallOptions {
  signal: AbortSignal;
  /** For the whole call: connecting, listing, calling, resuming and polling. */
  timeoutMs: number;
  /** Answers to forms that the server asks to fill in, by field name. Without them the client declares no elicitation capability. */
  answers?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The name of the server in error messages. Only the host: paths and queries often contain tokens. */
export function labelOf(target: McpTarget): string {
  return target.kind === "http" ? target.url.host : target.name;
}
