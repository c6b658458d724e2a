import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "../chaos/child-service.ts";
import { lintWithRedocly, lintWithSpectral } from "../support/openapi-linters.ts";
import { assertOutcome, type Outcome } from "./calls/scenario.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const CLIENTS = ["openapi-fetch", "hey-api", "orval"] as const;

/** `npm run test:clients`: generates three clients from the document, compiles them strictly and calls the service. */
export async function main(): Promise<void> {
  if (!existsSync(join(folder, "node_modules"))) run("npm", ["ci"], folder);
  const dataDir = mkdtempSync(join(tmpdir(), "baton-clients-"));
  const service = await startChild({ DATA_DIR: dataDir, ALLOW_REGISTRATION: "true" });
  try {
    const source = await (await fetch(`${service.address}/api/openapi.json`)).text();
    await lint(source);
    generate(source, service.address);
    run(join(root, "node_modules/.bin/tsc"), ["-p", "."], folder);
    for (const [index, client] of CLIENTS.entries()) {
      const { call } = (await import(`./calls/${client}.ts`)) as {
        call(baseUrl: string, email: string): Promise<Outcome>;
      };
      assertOutcome(await call(service.address, `client-${index}@example.com`));
      console.log(`${client}: compiled and called`);
    }
  } finally {
    await service.end("SIGTERM");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** With every recommended rule; `npm test` leaves out a slow one of Spectral. */
async function lint(source: string): Promise<void> {
  const ambiguous = (problem: string) => problem.startsWith("no-ambiguous-paths");
  const redocly = (await lintWithRedocly(source)).filter((problem) => !ambiguous(problem));
  const problems = [...redocly, ...(await lintWithSpectral(source))];
  if (problems.length > 0) throw new Error(`The linters found:\n${problems.join("\n")}`);
  console.log(`linters: nothing found in ${Math.round(source.length / 1000)} kB`);
}

function generate(source: string, address: string): void {
  const generated = join(folder, "generated");
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  const input = join(generated, "openapi.json");
  writeFileSync(input, source);
  const orval = { input, output: { target: "orval/client.ts", client: "fetch", baseUrl: address } };
  writeFileSync(
    join(generated, "orval.config.cjs"),
    `module.exports = ${JSON.stringify({ baton: orval })};\n`,
  );
  const program = (name: string) => join(folder, "node_modules/.bin", name);
  run(program("openapi-typescript"), [input, "-o", "openapi-typescript.d.ts"], generated);
  run(program("openapi-ts"), ["-i", input, "-o", "hey-api", "-c", "@hey-api/client-fetch"], generated);
  run(program("orval"), ["--config", "orval.config.cjs"], generated);
}

function run(command: string, parameters: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
}
