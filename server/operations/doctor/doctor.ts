import type { Config } from "../../config.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { checkDatabase, checkDatabaseClock } from "./database.ts";
import { type Finding, ok, type Outcome, problem } from "./finding.ts";
import { checkClock, checkDisk, checkFolder } from "./folder.ts";
import { checkMemory, checkNode } from "./machine.ts";
import { checkProxyVariables, checkTls, checkTrustProxy } from "./network.ts";
import { checkPort } from "./port.ts";
import { checkBucket, checkMail } from "./services.ts";

export interface DoctorInput {
  /** Throws if a setting is invalid. */
  readConfig(): Config;
  /** Names of variables that set a proxy for outgoing calls. */
  proxyVariables: readonly string[];
}

/** Checks what a start needs. A check that fails itself is a problem of that check and hides no other. */
export async function examine({ readConfig, proxyVariables }: DoctorInput): Promise<Finding[]> {
  const always: [string, () => Outcome | Promise<Outcome>][] = [
    ["node", () => checkNode()],
    ["memory", () => checkMemory()],
    ["outgoing proxy", () => checkProxyVariables(proxyVariables)],
  ];
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const settings = problem(
      error.message,
      "Correct them in the environment or in .env (docs/reference/settings.md).",
    );
    return [...(await runAll(always)), { check: "settings", ...settings }];
  }
  const { dataDir, database } = config;
  const findings = await runAll([
    ...always,
    ["settings", () => ok("valid")],
    ["port", () => checkPort(config)],
    ["data folder", () => checkFolder(dataDir)],
    ["disk", () => checkDisk(dataDir)],
    ["database", () => checkDatabase(config)],
    [
      "clock",
      () => (database.url === undefined ? checkClock(dataDir, Date.now) : checkDatabaseClock(database.url)),
    ],
    ["proxy in front", () => checkTrustProxy(config)],
    ["tls", () => checkTls(config, Date.now())],
    ["mail", () => checkMail(config.smtp)],
    ["files", () => checkBucket(config)],
  ]);
  return findings.map((finding) => withoutSecrets(finding, secretsOf(config)));
}

async function runAll(checks: [string, () => Outcome | Promise<Outcome>][]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of checks) {
    try {
      findings.push({ check, ...(await run()) });
    } catch (error) {
      findings.push({
        check,
        ...problem(messageOf(error), "Fix what the message names and run the doctor again."),
      });
    }
  }
  return findings;
}

export function render(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, message, action }) => [
    `${status.padEnd(7)}  ${check.padEnd(width)}  ${message.replaceAll("\n", `\n${" ".repeat(width + 11)}`)}`,
    ...(action === undefined ? [] : [`${" ".repeat(width + 11)}→ ${action}`]),
  ]);
  const count = (status: Finding["status"]): number =>
    findings.filter((finding) => finding.status === status).length;
  return [...lines, "", `${count("problem")} problems, ${count("warn")} warnings`].join("\n");
}

/** No message should have one; a driver or server could still repeat what it was given. */
function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return { ...finding, message: clean(finding.message) };
}

function secretsOf(config: Config): string[] {
  const urls = [config.database.url, config.database.directUrl, config.smtp.url];
  const passwords = urls.flatMap((url) => (url === undefined ? [] : passwordsOf(new URL(url))));
  const keys = [
    config.jwtSecret,
    ...config.previousJwtSecrets,
    config.llm.apiKey,
    config.embedding.apiKey,
    config.bucket?.secretAccessKey,
    config.oidc?.clientSecret,
  ];
  return [...passwords, ...keys]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length > 3);
}

function passwordsOf({ password, searchParams }: URL): string[] {
  return [password, decodeURIComponent(password), searchParams.get("password") ?? ""];
}
