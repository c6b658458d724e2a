import { afterAll, describe, expect, test } from "vitest";
import { foreach, reach, read, save, start, stepOf } from "../server/engine/testing/workbench.ts";
import { loggableUrl } from "../server/log.ts";
import { transformStep as value } from "./support/graphs.ts";
import { startMailServer } from "./support/mail-server.ts";
import { createTestApp, registerUser, useTestApp } from "./support/test-app.ts";

const mail = await startMailServer();
const app = await createTestApp({ SMTP_URL: mail.url, SMTP_FROM: "Baton <baton@example.org>" });
const ada = await registerUser(app, "ada");
afterAll(async () => {
  await app.close();
  await mail.close();
});

const context = { supplier: "Acme", lines: [{ item: "paper", price: 3 }] };
const ask = (more: object = {}) => ({
  stepId: "ask",
  type: "approval",
  message: "Pay {{input.amount}} euros?",
  context,
  ...more,
});

async function asked(steps: Parameters<typeof save>[1]): Promise<string> {
  const taskId = await start(ada, await save(ada, steps, []), { amount: 30 });
  await reach(ada, taskId, "waiting_approval");
  return taskId;
}

async function linkOf(taskId: string, stepId = "ask"): Promise<string> {
  const { status, body } = await ada.post(
    `/api/tasks/${taskId}/approvals/${encodeURIComponent(stepId)}/link`,
  );
  expect(status).toBe(200);
  return tokenIn(body.url);
}

function tokenIn(text: string): string {
  return /\/a\/([\w.-]+)/.exec(text)?.[1] ?? "no link";
}

const decide = (token: string, body: unknown) => app.anonymous.post(`/api/approval-links/${token}`, body);
const open = (token: string) => app.anonymous.get(`/api/approval-links/${token}`);
const approvalsOf = async (taskId: string) =>
  (await ada.get(`/api/approvals?taskId=${taskId}`)).body.approvals as Record<string, unknown>[];

/** The text of an email without the line breaks of its encoding. */
const textOf = (raw: string) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");

describe("an approval", () => {
  test("shows its context and due time to the person who decides, with secrets redacted", async () => {
    await ada.put("/api/variables/pin", { value: "hunter2-hunter2", secret: true });
    const shown = { ...context, note: "pin {{secrets.pin}}" };
    const message = "Pay {{input.amount}} euros with {{secrets.pin}}?";
    const taskId = await asked([ask({ message, context: shown, timeoutMs: 3_600_000 })]);
    const [approval] = await approvalsOf(taskId);
    expect(approval).toMatchObject({
      message: "Pay 30 euros with •••?",
      context: { ...context, note: "pin •••" },
    });
    const due = Date.parse(approval!["dueAt"] as string) - Date.parse(approval!["requestedAt"] as string);
    expect(due).toBeGreaterThan(3_590_000);
    expect(due).toBeLessThan(3_610_000);
    expect(
      await app.sql("select * from approval where context like '%hunter2%' or message like '%hunter2%'"),
    ).toEqual([]);
  });

  test("without context and time limit has no context and no due time", async () => {
    const [approval] = await approvalsOf(await asked([ask({ context: undefined })]));
    expect(approval).toMatchObject({ dueAt: null });
    expect(approval).not.toHaveProperty("context");
    expect(approval).not.toHaveProperty("notice");
  });

  test("with a context larger than 64 KiB fails the step", async () => {
    const workflowId = await save(ada, [ask({ context: "{{input.big}}" })], []);
    const task = await reach(ada, await start(ada, workflowId, { big: "x".repeat(70_000) }), "failed");
    expect(stepOf(task, "ask").error).toMatchObject({ code: "invalid_field" });
  });
});

describe("a link to an approval", () => {
  test("[S32] decides without a login, once, with a comment that the run keeps", async () => {
    const taskId = await asked([ask(), value("end", "{{steps.ask.output}}")]);
    const token = await linkOf(taskId);
    expect(await linkOf(taskId)).toBe(token);
    expect(await open(token)).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
      body: { ok: true, approval: { workflowName: "test", message: "Pay 30 euros?", context, dueAt: null } },
    });
    expect(await decide(token, { approved: true, comment: "Fine" })).toMatchObject({
      status: 200,
      body: { ok: true, decision: "approve" },
    });
    const task = await reach(ada, taskId, "completed");
    expect(task.result.output).toEqual({
      decision: "approve",
      comment: "Fine",
      decidedBy: "link",
      data: null,
    });
    for (const answer of [await decide(token, { approved: false }), await open(token)]) {
      expect(answer).toMatchObject({ status: 409, body: { error: "task_not_waiting" } });
      expect(answer.text).not.toContain("euros");
    }
    expect(JSON.stringify(await read(ada, taskId))).not.toContain(token.split(".")[1]);
  });

  test("is the actor of its decision in the audit log; a guessed link is in none", async () => {
    const taskId = await asked([ask()]);
    const token = await linkOf(taskId);
    await decide("guessed", { approved: true });
    await app.anonymous.post(`/api/approval-links/${token}`, { approved: false }, { "user-agent": "Phone" });
    await decide(token, { approved: true });
    const { events } = (await ada.get("/api/audit-events?action=decideApprovalByLink")).body;
    expect(events.filter(({ target }: { target: { id: string } }) => target.id === taskId)).toMatchObject([
      {
        outcome: "succeeded",
        status: 200,
        actor: { kind: "approval_link", id: null, name: null },
        target: { kind: "run", id: taskId },
        address: "127.0.0.1",
        userAgent: "Phone",
        before: { status: "waiting_approval", decisions: 0 },
        after: { decisions: 1, lastDecision: "reject" },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(token.split(".")[1]);
    expect(await app.sql("select 1 as one from audit_event where target_id = 'guessed'")).toEqual([]);
  });

  test("rejects with a comment", async () => {
    const taskId = await asked([ask()]);
    expect((await decide(await linkOf(taskId), { approved: false, comment: "Too much" })).body.decision).toBe(
      "reject",
    );
    expect(stepOf(await reach(ada, taskId, "rejected"), "ask")).toMatchObject({
      error: { code: "rejected", message: "Rejected: Too much" },
      output: { decidedBy: "link" },
    });
  });

  test("[S32] is never decided by GET or HEAD, and needs an answer in the body", async () => {
    const taskId = await asked([ask()]);
    const token = await linkOf(taskId);
    for (const url of [
      `/a/${token}`,
      `/api/approval-links/${token}`,
      `/api/approval-links/${token}?approved=true`,
    ])
      for (const method of ["GET", "HEAD"]) await app.anonymous.call(url, { method });
    expect((await decide(token, {})).status).toBe(400);
    expect((await decide(token, undefined)).status).toBe(400);
    expect((await read(ada, taskId)).status).toBe("waiting_approval");
    expect((await open(token)).status).toBe(200);
  });

  test("[S32] that was changed or guessed is not found", async () => {
    const taskId = await asked([ask()]);
    const token = await linkOf(taskId);
    const [id, signature] = token.split(".");
    for (const wrong of [id!, `${id}.${"A".repeat(43)}`, `${"A".repeat(22)}.${signature}`, taskId, "x"]) {
      const answer = await decide(wrong, { approved: true });
      expect(answer, wrong).toMatchObject({ status: 404, body: { error: "approval_link_not_found" } });
      expect((await open(wrong)).status).toBe(404);
    }
    expect((await read(ada, taskId)).status).toBe("waiting_approval");
  });

  test("and a decision on the page at the same time decide once", async () => {
    const taskId = await asked([ask(), value("end", "{{steps.ask.output.decision}}")]);
    const token = await linkOf(taskId);
    const answers = await Promise.all([
      decide(token, { approved: true }),
      decide(token, { approved: true }),
      ada.post(`/api/tasks/${taskId}/resume`, { decision: "approve" }),
      decide(token, { approved: true }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    await reach(ada, taskId, "completed");
  });

  test("of one iteration decides only that iteration", async () => {
    const taskId = await asked([foreach("each", ["x", "y"], [ask(), value("end", "{{item}}")])]);
    await decide(await linkOf(taskId, "each[1]/ask"), { approved: true });
    await expect.poll(async () => (await approvalsOf(taskId)).length).toBe(1);
    expect((await approvalsOf(taskId))[0]).toMatchObject({ stepId: "each[0]/ask" });
  });

  test("[S32] of an earlier attempt does not decide the approval that a rerun opens", async () => {
    const taskId = await asked([ask({ timeoutMs: 8000, onTimeout: "fail" })]);
    const old = await linkOf(taskId);
    await reach(ada, taskId, "failed");
    expect((await decide(old, { approved: true })).status).toBe(409);
    await ada.post(`/api/tasks/${taskId}/rerun-from-failed`);
    await reach(ada, taskId, "waiting_approval");
    const fresh = await linkOf(taskId);
    expect(fresh).not.toBe(old);
    expect((await decide(old, { approved: true })).status).toBe(409);
    const replayed = (await ada.post(`/api/tasks/${taskId}/replay`, {})).body.taskId as string;
    await reach(ada, replayed, "waiting_approval");
    expect((await decide(old, { approved: true })).status).toBe(409);
    expect((await decide(fresh, { approved: true })).status).toBe(200);
    await reach(ada, taskId, "completed");
    expect((await read(ada, replayed)).status).toBe("waiting_approval");
  });

  test("[S32] ends with a cancelled task and with the account", async () => {
    const cancelled = await asked([ask()]);
    const token = await linkOf(cancelled);
    await ada.post(`/api/tasks/${cancelled}/cancel`);
    expect((await open(token)).status).toBe(409);

    const bob = await registerUser(app, "bob");
    const taskId = await start(bob, await save(bob, [ask()]), {});
    await reach(bob, taskId, "waiting_approval");
    const url = (await bob.post(`/api/tasks/${taskId}/approvals/ask/link`)).body.url as string;
    expect((await open(tokenIn(url))).status).toBe(200);
    await bob.call("/api/auth/me", { method: "DELETE", body: { password: bob.password } });
    expect((await open(tokenIn(url))).status).toBe(409);
    expect((await decide(tokenIn(url), { approved: true })).status).toBe(409);
  });

  test.each(["due_at = 1", "decided_at = 1"])("shows and decides nothing when %s", async (change) => {
    const taskId = await asked([ask({ timeoutMs: 3_600_000 })]);
    const token = await linkOf(taskId);
    // Before the run has noticed the time limit or the decision.
    await app.sql(`update approval set ${change} where task_id = '${taskId}' returning path`);
    for (const answer of [await open(token), await decide(token, { approved: true })])
      expect(answer).toMatchObject({ status: 409, body: { error: "task_not_waiting" } });
    expect((await read(ada, taskId)).status).toBe("waiting_approval");
  });

  test("is created only by the owner, for an approval that waits", async () => {
    const taskId = await asked([ask()]);
    const stranger = await registerUser(app);
    expect((await stranger.post(`/api/tasks/${taskId}/approvals/ask/link`)).status).toBe(403);
    expect((await app.anonymous.post(`/api/tasks/${taskId}/approvals/ask/link`)).status).toBe(401);
    expect(await ada.post(`/api/tasks/${taskId}/approvals/other/link`)).toMatchObject({
      status: 404,
      body: { error: "approval_not_found" },
    });
  });

  test("is not in the log", () => {
    for (const path of ["/a/", "/api/approval-links/"])
      expect(loggableUrl(`${path}id.signature?x=1`)).toBe(`${path}•••?x=•••`);
  });

  test("is limited per address, so that it cannot be guessed", async () => {
    const limited = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "2" });
    const status = async () => (await limited.anonymous.get("/api/approval-links/x")).status;
    expect([await status(), await status(), await status()]).toEqual([404, 404, 429]);
    // Each request sends emails to people who did not ask for them.
    const eve = await registerUser(limited, "eve");
    const resend = async () => (await eve.post("/api/tasks/task_1/approvals/ask/notify")).status;
    expect([await resend(), await resend(), await resend()]).toEqual([404, 404, 429]);
  });
});

describe("notifyEmail", () => {
  test("sends the question, the context and the link, once", async () => {
    const taskId = await asked([ask({ notifyEmail: "boss@example.com", timeoutMs: 3_600_000 })]);
    await expect.poll(() => mail.received.filter(({ to }) => to[0] === "boss@example.com").length).toBe(1);
    await expect
      .poll(async () => (await approvalsOf(taskId))[0])
      .toMatchObject({ notice: { sentAt: expect.any(String), error: null } });
    const text = textOf(mail.received.find(({ to }) => to[0] === "boss@example.com")!.raw);
    expect(text).toContain("Subject: Approval needed: test");
    expect(text).toContain("Pay 30 euros?");
    expect(text).toContain("supplier: Acme");
    expect(JSON.stringify(await read(ada, taskId))).not.toContain("/a/");
    expect((await decide(tokenIn(text), { approved: true })).status).toBe(200);
    await reach(ada, taskId, "completed");
    expect(mail.received.filter(({ to }) => to[0] === "boss@example.com")).toHaveLength(1);
  });

  test("to several shows nobody the address of another", async () => {
    await asked([ask({ notifyEmail: ["first@example.com", "Second <second@example.com>"] })]);
    const sent = () => mail.received.filter(({ to }) => to.includes("first@example.com"));
    await expect
      .poll(() => sent().map(({ to }) => to))
      .toEqual([["first@example.com", "second@example.com"]]);
    expect(sent()[0]!.raw).toMatch(/^To: "?undisclosed-recipients"?:;/m);
    expect(sent()[0]!.raw).not.toMatch(/first@|second/i);
  });

  test("that fails is shown with the approval, which still waits", async () => {
    const taskId = await asked([ask({ notifyEmail: "not an address" })]);
    await expect
      .poll(async () => (await approvalsOf(taskId))[0])
      .toMatchObject({ notice: { sentAt: null, error: expect.stringContaining("email address") } });
    expect((await ada.post(`/api/tasks/${taskId}/resume`)).status).toBe(200);
    await reach(ada, taskId, "completed");
  });

  test("is sent again on request and before the time limit, as a reminder with the same link", async () => {
    const sent = () =>
      mail.received.filter(({ to }) => to[0] === "slow@example.com").map(({ raw }) => textOf(raw));
    const limit = { timeoutMs: 3_600_000, onTimeout: "approve", remindBeforeMs: 3_599_000 };
    const taskId = await asked([ask({ notifyEmail: "slow@example.com", ...limit })]);
    expect((await approvalsOf(taskId))[0]).toMatchObject({ onTimeout: "approve" });
    await expect.poll(() => sent().length).toBe(2);
    expect(sent()[0]).toContain("Without a decision until then, the request is approved.");
    expect(sent().map((text) => /Subject: Reminder/.test(text))).toEqual([false, true]);
    await expect
      .poll(async () => (await approvalsOf(taskId))[0])
      .toMatchObject({ notice: { sentAt: expect.any(String) } });
    expect((await ada.post(`/api/tasks/${taskId}/approvals/ask/notify`)).status).toBe(200);
    await expect.poll(() => sent().length).toBe(3);
    expect(new Set(sent().map(tokenIn)).size).toBe(1);
    // A mail server may drop a second email with the same id.
    expect(new Set(sent().map((text) => /^Message-ID: .*/im.exec(text)?.[0])).size).toBe(3);
    expect((await decide(tokenIn(sent()[2]!), { approved: true })).status).toBe(200);
    expect(await ada.post(`/api/tasks/${taskId}/approvals/ask/notify`)).toMatchObject({ status: 404 });
  });

  test("that failed for good is sent again on request", async () => {
    mail.refuseWith(550);
    const taskId = await asked([ask({ notifyEmail: "moved@example.com" })]);
    await expect
      .poll(async () => (await approvalsOf(taskId))[0])
      .toMatchObject({ notice: { sentAt: null, error: expect.any(String) } });
    mail.refuseWith(undefined);
    expect((await ada.post(`/api/tasks/${taskId}/approvals/ask/notify`)).status).toBe(200);
    await expect.poll(() => mail.received.filter(({ to }) => to[0] === "moved@example.com").length).toBe(1);
    await expect
      .poll(async () => (await approvalsOf(taskId))[0])
      .toMatchObject({ notice: { sentAt: expect.any(String), error: null } });
    const silent = await asked([ask()]);
    expect(await ada.post(`/api/tasks/${silent}/approvals/ask/notify`)).toMatchObject({
      status: 409,
      body: { error: "task_not_waiting" },
    });
  });

  test("is sent after a restart when the process died before it", async () => {
    const first = await useTestApp({ SMTP_URL: mail.url, SMTP_FROM: "baton@example.org" });
    const eve = await registerUser(first, "eve");
    const steps = [ask({ notifyEmail: "later@example.com" })];
    const taskId = await start(eve, await save(eve, steps), { amount: 1 });
    await expect.poll(() => mail.received.some(({ to }) => to[0] === "later@example.com")).toBe(true);
    await reach(eve, taskId, "waiting_approval");
    await first.stop();
    // As a crash between the recorded approval and its email leaves it.
    await first.sql(
      "update approval set notice_attempts = 0, notice_sent_at = null where owner_id <> '' returning path",
    );
    await first.sql(`update task set run_at = 0 where id = '${taskId}' returning id`);
    await useTestApp({ SMTP_URL: mail.url, SMTP_FROM: "baton@example.org" }, { dataDir: first.dataDir });
    await expect.poll(() => mail.received.filter(({ to }) => to[0] === "later@example.com").length).toBe(2);
  });
});
