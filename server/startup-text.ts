import type { Config } from "./config.ts";

type Shown = Pick<Config, "reachableThrough" | "egress" | "allowRegistration" | "setupMode" | "role">;

/** What the operator reads in the terminal once the service listens. */
export function startupText(config: Shown, url: string, setupCode?: string): string {
  return [
    "",
    "Baton is ready.",
    `  Page               ${url}/`,
    `  API documentation  ${url}/api/docs`,
    `  Private addresses  ${privateAddresses(config)}`,
    ...(config.reachableThrough.length === 0 ? [] : ["", openings(config, setupCode)]),
    "",
  ].join("\n");
}

function privateAddresses({ egress, reachableThrough }: Shown): string {
  if (egress.allowPrivate) return "open to workflows, because only this machine can reach Baton";
  const opened = egress.allow.length === 0 ? "" : `, except ${egress.allow.join(", ")} (EGRESS_ALLOW)`;
  return `closed to workflows, because others can reach Baton (${reachableThrough.join(", ")})${opened}`;
}

/** One paragraph: what strangers find open. */
function openings(config: Shown, setupCode: string | undefined): string {
  const privateText = config.egress.allowPrivate ? "open" : "closed";
  return [
    `Others can reach this instance (${config.reachableThrough.join(", ")}).`,
    registration(config, setupCode),
    "/metrics and the API documentation are open to everyone who can reach the port.",
    `Private addresses are ${privateText} to workflows.`,
  ].join(" ");
}

function registration({ allowRegistration, setupMode, role }: Shown, setupCode: string | undefined): string {
  if (role === "worker") return "This process serves no accounts.";
  if (setupCode !== undefined)
    return `Registration is closed except for the first account, which needs the set-up code ${setupCode}.`;
  if (setupMode || !allowRegistration) return "Registration is closed.";
  return "Registration is open to everyone (ALLOW_REGISTRATION).";
}
