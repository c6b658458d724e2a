import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runAdmin } from "../../server/operations/admin/run-admin.ts";
import { operatorOf } from "../support/operator.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

async function stoppedApp() {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  for (const name of ["a", "b", "c"]) await ada.put(`/api/variables/${name}`, { value: name });
  await app.stop();
  const { context, lines } = await operatorOf(app);
  const run = async (name: string, ...args: string[]): Promise<string> => {
    lines.length = 0;
    await runAdmin(name, { ...context, args });
    return lines.join("\n");
  };
  return { app, ada, run, lines };
}

test("the command verifies all logs and names the first event that was tampered with", async () => {
  const { app, ada, run, lines } = await stoppedApp();
  const unbroken = await run("audit", "verify");
  expect(unbroken).toMatch(/^the instance: 2 events, unbroken\. Event 2 is the last one: [0-9a-f]{64}$/m);
  expect(unbroken).toMatch(new RegExp(`^workspace ${ada.user.id}: 6 events, unbroken`, "m"));
  expect(unbroken).toContain("every audit log is unbroken.");
  await app.sql("drop trigger audit_event_is_final");
  await app.sql(
    `update audit_event set actor_name = 'eve' where owner_id = '${ada.user.id}' and sequence = 4`,
  );
  await expect(run("audit", "verify")).rejects.toMatchObject({ code: "audit_log_broken" });
  expect(lines.join("\n")).toContain(
    `workspace ${ada.user.id}: event 4 is broken. The event was changed after it was recorded.`,
  );
  await expect(run("audit")).rejects.toThrow("Usage:");
  await expect(run("audit", "verify", "x")).rejects.toThrow("Usage:");
});

test("the export has every event of every log, and never replaces a file", async () => {
  const { app, ada, run } = await stoppedApp();
  const file = join(app.dataDir, "audit.ndjson");
  expect(await run("audit", "export", file)).toBe(`2 audit logs exported to ${file}`);
  const events = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { chain: string; sequence: number });
  expect(events.filter(({ chain }) => chain === ada.user.id)).toHaveLength(6);
  // With the attempt of this export.
  expect(events.filter(({ chain }) => chain === "instance").map(({ sequence }) => sequence)).toEqual([
    1, 2, 3,
  ]);
  await expect(run("audit", "export", file)).rejects.toThrow("EEXIST");
});

test("commands that change something are recorded, failed ones too; those that read are not", async () => {
  const { app, ada, run } = await stoppedApp();
  await run("users");
  await run("delete-user", ada.email, "--dry-run");
  await run("confirm-email", ada.email);
  await expect(run("disable", ada.email)).rejects.toMatchObject({ code: "last_administrator" });
  const again = await useTestApp({}, { dataDir: app.dataDir });
  const { body } = await again.anonymous.post("/api/auth/login", {
    email: ada.email,
    password: ada.password,
  });
  const headers = { authorization: `Bearer ${body.token}` };
  const { events } = (await again.anonymous.get("/api/admin/audit-events", headers)).body;
  expect(events.slice(1, 3)).toMatchObject([
    {
      action: "admin.disable",
      outcome: "failed",
      error: "last_administrator",
      actor: { kind: "operator", id: null },
      target: { kind: "command", name: ada.email },
    },
    { action: "admin.confirm-email", outcome: "succeeded" },
  ]);
  expect(events).toHaveLength(4);
  const { verification } = (await again.anonymous.get("/api/admin/audit-events/verification", headers)).body;
  expect(verification.valid).toBe(true);
});
