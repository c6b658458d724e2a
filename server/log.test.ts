import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loggableUrl } from "./log.ts";

const log = fileURLToPath(new URL("./log.ts", import.meta.url));

/** The messages that a process has written by the time it is gone. */
async function messagesOf(script: string): Promise<string[]> {
  const program = `import { createLogger } from ${JSON.stringify(log)}; const log = createLogger("info"); ${script}`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

test("lines of one turn and of later ones are written in order", async () => {
  const script = `log.info("a"); log.child({ part: "x" }).info("b"); setTimeout(() => log.info("c"), 20);`;
  expect(await messagesOf(script)).toEqual(["a", "b", "c"]);
});

test("a process that exits in the same turn has written all lines", async () => {
  expect(await messagesOf(`log.info("a"); log.info("b"); process.exit(0);`)).toEqual(["a", "b"]);
});

test("addresses are logged without the tokens of links and without query values", () => {
  for (const path of ["/a", "/api/approval-links", "/resume", "/invitations", "/api/invitations"])
    expect(loggableUrl(`${path}/token-of-a-link?x=secret`)).toBe(`${path}/•••?x=•••`);
  for (const url of ["/api/invitations/accept", "/api/workspaces/ws_1/invitations/inv_1", "/api/apps"])
    expect(loggableUrl(url)).toBe(url);
});
