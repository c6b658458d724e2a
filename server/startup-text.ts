import type { Config } from "./config.ts";

type Shown = Pick<Config, "reachableThrough" | "egress">;

/** What the operator reads in the terminal once the service listens. */
export function startupText(config: Shown, url: string): string {
  return [
    "",
    "Baton is ready.",
    `  Page               ${url}/`,
    `  API documentation  ${url}/api/docs`,
    `  Private addresses  ${privateAddresses(config)}`,
    "",
  ].join("\n");
}

function privateAddresses({ egress, reachableThrough }: Shown): string {
  if (egress.allowPrivate) return "open to workflows, because only this machine can reach Baton";
  const opened = egress.allow.length === 0 ? "" : `, except ${egress.allow.join(", ")} (EGRESS_ALLOW)`;
  return `closed to workflows, because others can reach Baton (${reachableThrough.join(", ")})${opened}`;
}
