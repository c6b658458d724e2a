import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { NPX_ENVIRONMENT, NPX_PACKAGES } from "./suite.ts";

const TIMEOUT_MS = "120000";
const ROOT = join(import.meta.dirname, "../../..");

/** Client scenarios that do not apply, with the reason. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": "extension: Baton acts for a person who signs in",
  "auth/client-credentials-basic": "extension: Baton acts for a person who signs in",
  "auth/enterprise-managed-authorization": "extension: needs the identity provider of an enterprise",
  "auth/wif-jwt-bearer": "extension: needs the identity provider of a cloud",
  "auth/dpop": "extension: tokens that are bound to a key",
  "auth/dpop-nonce": "extension: tokens that are bound to a key",
  "sep-2640-client-no-prefetch": "extension: skills",
  "sep-2640-client-verify-digest": "extension: skills",
  "sep-2640-client-verify-size": "extension: skills",
  "sep-2640-client-verify-frontmatter": "extension: skills",
};

/** Runs every client scenario, or the chosen ones, with each version that it names. Sets the exit code. */
export async function runClientScenarios(chosen: readonly string[]): Promise<void> {
  const program = join(ROOT, "node_modules", ".cache", "mcp-conformance-client.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "client.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  for (const { scenario, versions } of await listScenarios()) {
    if (chosen.length > 0 && !chosen.includes(scenario)) continue;
    const reason = NOT_APPLICABLE[scenario];
    if (reason !== undefined) {
      console.log(`skipped  ${scenario}: ${reason}`);
      continue;
    }
    for (const version of versions) {
      const command = ["--command", `${process.execPath} ${program}`, "--timeout", TIMEOUT_MS];
      const text = await runSuite(["client", ...command, "--scenario", scenario, "--spec-version", version]);
      const hasPassed = text.includes("OVERALL: PASSED");
      if (!hasPassed) process.exitCode = 1;
      console.log(`${hasPassed ? "passed" : "FAILED"}   ${scenario} ${version}`);
      if (!hasPassed)
        console.log(
          text
            .split("\n")
            .filter((line) => line.includes("FAILURE"))
            .join("\n"),
        );
    }
  }
}

async function listScenarios(): Promise<{ scenario: string; versions: string[] }[]> {
  const [, clients = ""] = /^Client scenarios[^\n]*\n(.*?)\n\n/ms.exec(await runSuite(["list"])) ?? [];
  return [...clients.matchAll(/- (\S+) \[([^\]]*)\]/g)].map(([, scenario = "", versions = ""]) => ({
    scenario,
    versions: versions.split(","),
  }));
}

function runSuite(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const suite = spawn("npx", [...NPX_PACKAGES, "conformance", ...args], { env: NPX_ENVIRONMENT });
    let text = "";
    for (const stream of [suite.stdout, suite.stderr])
      stream.on("data", (piece: Buffer) => (text += piece.toString()));
    suite.once("close", () => resolve(text));
  });
}
