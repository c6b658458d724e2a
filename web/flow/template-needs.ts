import type { Connection } from "../../contract/connections.ts";
import type { Graph, Step } from "../../contract/graph.ts";
import { innerSteps } from "./inner-steps.ts";
import { fits, type Wanted, wantedConnection } from "./wanted-connection.ts";

/** What a workspace must have before a workflow of the template runs. */
export type TemplateNeed =
  | { kind: "connection"; key: string; type: string; wanted: Wanted; optional: boolean; current?: string }
  | { kind: "agent"; capability: string }
  | { kind: "variable"; name: string }
  | { kind: "model" | "documents" };

type Steps = Pick<Graph, "steps">;

/** Triggers without which a run has nothing to work on. The others only start it sooner. */
const ESSENTIAL = new Set<string | undefined>(["rss", "email", "chat", "app"]);

/** False when one click shows what the template does. */
export function needsSetup({ steps, trigger }: Steps & { trigger?: { kind: string } | undefined }): boolean {
  return ESSENTIAL.has(trigger?.kind) || templateNeeds({ steps }).length > 0;
}

/** Steps that cannot run without a connection. An `email` step can use the mail server of the service. */
const CONNECTED: Readonly<Record<string, { optional: boolean }>> = {
  app: { optional: false },
  sql: { optional: false },
  redis: { optional: false },
  s3: { optional: false },
  email: { optional: true },
};

/** Variables and secrets in placeholders, expressions and code. */
const VARIABLE = /\b(?:vars|secrets)\.([A-Za-z_][\w-]*)/g;

/** Each need once, in the order of the steps. */
export function templateNeeds({ steps }: Steps): TemplateNeed[] {
  const needs = new Map<string, TemplateNeed>();
  const add = (id: string, need: TemplateNeed): void => void (needs.has(id) || needs.set(id, need));
  for (const step of allSteps(steps)) {
    const key = connectionKey(step);
    if (key !== undefined) add(key, connectionNeed(step, key));
    if (step.type === "llm" && step["connection"] === undefined) add("model", { kind: "model" });
    if (step.type === "document_query") add("documents", { kind: "documents" });
    if (typeof step["capability"] === "string") {
      const capability = step["capability"];
      add(`agent:${capability}`, { kind: "agent", capability });
    }
  }
  for (const [, name = ""] of JSON.stringify(steps).matchAll(VARIABLE))
    add(`variable:${name}`, { kind: "variable", name });
  return [...needs.values()];
}

/** The same steps with the chosen connections, by the `key` of their need. */
export function withConnections(steps: readonly Step[], chosen: Readonly<Record<string, string>>): Step[] {
  return steps.map((step) => {
    const connection = chosen[connectionKey(step) ?? ""];
    return {
      ...step,
      ...(connection !== undefined && { connection }),
      ...(Array.isArray(step["steps"]) && { steps: withConnections(innerSteps(step), chosen) }),
    };
  });
}

/** Of each need: the connection that its steps have, if the workspace has it; otherwise the only one that fits. */
export function presetConnections(
  needs: readonly TemplateNeed[],
  connections: readonly Connection[],
): Record<string, string> {
  const preset: Record<string, string> = {};
  for (const need of needs) {
    if (need.kind !== "connection") continue;
    const fitting = connections.filter((connection) => fits(connection, need.wanted));
    const own = fitting.find(({ id }) => id === need.current);
    const chosen = own ?? (fitting.length === 1 && !need.optional ? fitting[0] : undefined);
    if (chosen !== undefined) preset[need.key] = chosen.id;
  }
  return preset;
}

function connectionNeed(step: Step, key: string): TemplateNeed {
  const { type, connection } = step;
  return {
    kind: "connection",
    key,
    type,
    wanted: wantedConnection(step),
    optional: CONNECTED[type]?.optional === true,
    ...(typeof connection === "string" && { current: connection }),
  };
}

function connectionKey({ type, app }: Step): string | undefined {
  if (CONNECTED[type] === undefined) return undefined;
  return type === "app" ? `app:${String(app)}` : type;
}

function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...allSteps(innerSteps(step))]);
}
