import { parseArgs } from "node:util";
import { readEnvironment, readProxyVariables } from "../config.ts";
import { runCommand } from "./command.ts";
import { examine, render } from "./doctor/doctor.ts";

// `npm run doctor [-- --json]`
await runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: "boolean" } } });
  const findings = await examine({ readConfig: readEnvironment, proxyVariables: readProxyVariables() });
  console.log(values.json === true ? JSON.stringify({ findings }, null, 2) : render(findings));
  if (findings.some(({ status }) => status === "problem")) process.exitCode = 1;
});
