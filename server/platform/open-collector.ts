import type { Registry } from "prom-client";
import packageFile from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import { createEgress } from "../security/egress.ts";
import type { Telemetry } from "../telemetry/open-telemetry.ts";

/**
 * Connects to the operator's collector, if one is set. It gets its own egress guard that allows only its addresses:
 * a collector on a private network must not make that network reachable for workflows.
 */
export async function openCollector(
  { telemetry: settings, egress: rules }: Pick<Config, "telemetry" | "egress">,
  registry: Registry,
  onProblem: (message: string) => void,
): Promise<Telemetry | undefined> {
  if (settings === undefined) return undefined;
  const allow = [settings.tracesUrl, settings.metricsUrl].flatMap((address) => {
    if (address === undefined) return [];
    const { hostname, port, protocol } = new URL(address);
    return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
  });
  const egress = createEgress({ allowPrivate: rules.allowPrivate, allow, deny: rules.deny });
  // Loaded only here: without a collector, no code of it runs.
  const { openTelemetry } = await import("../telemetry/open-telemetry.ts");
  return openTelemetry({ settings, registry, egress, version: packageFile.version, onProblem });
}
