import type { AuditEvent } from "../../api/audit-log.ts";

/** What is not a route of the API: `oidc.setRole` is a change by the login provider, `admin.enable` a command. */
const SOURCES: Record<string, string> = { oidc: "single sign-on", admin: "command" };

/** `updateWorkflow` → "Update workflow", `oidc.setRole` → "Set role (single sign-on)". */
export function actionLabel(action: string): string {
  const [, prefix, name = ""] = /^(?:(\w+)\.)?(.*)$/.exec(action) ?? [];
  const words = name.replaceAll("-", " ").replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return prefix === undefined ? label : `${label} (${SOURCES[prefix] ?? prefix})`;
}

/** The reverse: "Update workflow" → `updateWorkflow`. What is no label stays as it is, so that an id can be typed. */
export function actionOf(label: string): string {
  const [, words = "", source] = /^(.*?)(?: \(([^)]+)\))?$/.exec(label) ?? [];
  const name = words.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const joined = name.replaceAll(/ +([a-z])/gi, (_, letter: string) => letter.toUpperCase());
  const prefix = Object.keys(SOURCES).find((key) => SOURCES[key] === source);
  return prefix === undefined ? joined : `${prefix}.${joined}`;
}

export function actorLabel({ kind, name }: AuditEvent["actor"]): string {
  if (kind === "approval_link") return name === null ? "Approval link" : `Approval link of ${name}`;
  if (name !== null) return name;
  return (
    { anonymous: "Not logged in", operator: "Operator", provider: "Login provider", system: "Baton" }[
      kind as string
    ] ?? kind
  );
}

export function outcomeLabel({ outcome, error }: Pick<AuditEvent, "outcome" | "error">): string {
  if (outcome === null) return "Unknown";
  return outcome === "succeeded" ? "Succeeded" : `Failed${error === null ? "" : `: ${error}`}`;
}
