import type { Connection, ConnectionKind } from "../../contract/connections.ts";
import type { Step } from "../../contract/graph.ts";

/** Which connections a place can use. */
export interface Wanted {
  app?: string | undefined;
  kinds?: readonly ConnectionKind[] | undefined;
  /** Types of databases, from the scheme of their URL. */
  databases?: readonly string[] | undefined;
  /** A language model is called: the services that have one are offered in place of apps. */
  models?: true;
}

const HTTP_KINDS: readonly ConnectionKind[] = ["api_key", "bearer", "basic", "headers", "oauth2"];

/** Places that send HTTP requests. */
export const BY_HTTP: Wanted = { kinds: HTTP_KINDS };

/** Places that call a language model. */
export const OF_MODELS: Wanted = { kinds: HTTP_KINDS, models: true };

/** What the field `connection` of a step takes. */
export function wantedConnection(step: Step): Wanted {
  switch (step.type) {
    case "app":
      return { app: typeof step["app"] === "string" ? step["app"] : "" };
    case "sql":
      return { kinds: ["database"], databases: ["postgres", "mysql", "sqlite"] };
    case "redis":
      return { kinds: ["database"], databases: ["redis"] };
    case "s3":
      return { kinds: ["s3"] };
    case "email":
      return { kinds: ["smtp"] };
    case "llm":
      return OF_MODELS;
    default:
      return BY_HTTP;
  }
}

export function fits({ app, kind, settings }: Connection, wanted: Wanted): boolean {
  if (wanted.app !== undefined) return app === wanted.app;
  if (wanted.kinds !== undefined && !wanted.kinds.includes(kind)) return false;
  return wanted.databases === undefined || wanted.databases.includes(String(settings["type"]));
}
