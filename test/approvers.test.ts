import { afterAll, describe, expect, test } from "vitest";
import { reach, save, start, stepOf } from "../server/engine/testing/workbench.ts";
import { transformStep as value } from "./support/graphs.ts";
import { startMailServer } from "./support/mail-server.ts";
import { createTestApp, registerUser } from "./support/test-app.ts";
import { addTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const mail = await startMailServer();
const app = await createTestApp({
  ALLOW_REGISTRATION: "true",
  SMTP_URL: mail.url,
  SMTP_FROM: "Baton <baton@example.org>",
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const people = {
  ann: await registerUser(app, "ann"),
  bob: await registerUser(app, "bob"),
  cid: await registerUser(app, "cid"),
  eve: await registerUser(app, "eve"),
};
const { id: teamId, ann, bob, cid, eve } = await makeTeam();
const emailOf = ({ user }: typeof ann): string => user.email;

async function makeTeam() {
  const id = await addTeamWorkspace(app, [
    [people.ann, "admin"],
    [people.bob, "operator"],
    [people.cid, "operator"],
    [people.eve, "viewer"],
  ]);
  const of = (user: typeof people.ann) => inWorkspace(user, id);
  return { id, ann: of(people.ann), bob: of(people.bob), cid: of(people.cid), eve: of(people.eve) };
}

async function asked(more: object = {}, input: object = {}): Promise<string> {
  const step = {
    stepId: "ask",
    type: "approval",
    message: "Pay?",
    approvers: [emailOf(bob), "role:admin"],
    requiredApprovals: 2,
    ...more,
  };
  const taskId = await start(ann, await save(ann, [step, value("end", "{{steps.ask.output}}")]), input);
  await reach(ann, taskId, "waiting_approval");
  return taskId;
}

const resume = (user: typeof ann, taskId: string, body: object = {}) =>
  user.post(`/api/tasks/${taskId}/resume`, body);
const listed = async (user: typeof ann, query: string) =>
  (await user.get(`/api/approvals?${query}`)).body.approvals as Record<string, any>[];
const linkOf = (user: typeof ann, taskId: string, body?: object) =>
  user.post(`/api/tasks/${taskId}/approvals/ask/link`, body);
const tokenIn = (text: string): string => /\/a\/([\w.-]+)/.exec(text)?.[1] ?? "no link";
const decideBy = (token: string, body: object) => app.anonymous.post(`/api/approval-links/${token}`, body);

describe("an approval with approvers", () => {
  test("is decided by them alone, each once, and the record says who, why and how", async () => {
    const taskId = await asked();
    expect(await resume(cid, taskId)).toMatchObject({
      status: 403,
      body: { error: "forbidden", message: expect.stringContaining(emailOf(bob)) },
    });
    expect((await resume(eve, taskId)).status).toBe(403);
    expect((await resume(bob, taskId, { comment: "fine" })).body).toMatchObject({
      ok: true,
      status: "waiting_approval",
    });
    expect(await resume(bob, taskId)).toMatchObject({ status: 409, body: { error: "already_decided" } });
    expect((await resume(ann, taskId, { comment: "go" })).body.status).toBe("running");
    const { result } = await reach(ann, taskId, "completed");
    const bobs = { id: bob.user.id, name: bob.user.name, email: emailOf(bob) };
    expect(result.output).toMatchObject({
      decidedBy: ann.user.id,
      comment: "go",
      decisions: [
        { by: bobs, decision: "approve", comment: "fine", via: "page" },
        { by: { id: ann.user.id }, comment: "go" },
      ],
    });
    const { body } = await eve.get(`/api/tasks/${taskId}/decisions`);
    expect(body.decisions).toMatchObject([
      { stepId: "ask", by: { email: emailOf(ann) }, decision: "approve", comment: "go", via: "page" },
      { stepId: "ask", by: bobs, comment: "fine" },
    ]);
    expect((await eve.get(`/api/tasks/${taskId}/decisions?limit=1`)).body.decisions).toHaveLength(1);
  });

  test("is listed with its progress, and with mine=true for those who can still decide", async () => {
    const taskId = await asked();
    const query = `taskId=${taskId}`;
    const canDecide = async (user: typeof ann) => (await listed(user, query))[0]!["canDecide"] as boolean;
    const isMine = async (user: typeof ann) => (await listed(user, `${query}&mine=true`)).length === 1;
    const { approvers } = (await eve.get("/api/approvers")).body;
    expect(approvers.map(({ email }: { email: string }) => email).toSorted()).toEqual(
      [ann, bob, cid].map(emailOf).toSorted(),
    );
    for (const [user, expected] of [
      [ann, true],
      [bob, true],
      [cid, false],
      [eve, false],
    ] as const)
      expect([await canDecide(user), await isMine(user)]).toEqual([expected, expected]);
    await resume(bob, taskId, { comment: "ok" });
    expect(await listed(cid, query)).toMatchObject([
      {
        approvers: [emailOf(bob), "role:admin"],
        requiredApprovals: 2,
        decisions: [{ by: { id: bob.user.id }, decision: "approve", comment: "ok" }],
        canDecide: false,
      },
    ]);
    expect([await canDecide(bob), await isMine(bob)]).toEqual([false, false]);
    expect([await canDecide(ann), await isMine(ann)]).toEqual([true, true]);
  });

  test("takes its approver from the input, and fails for one who is no member", async () => {
    const more = { approvers: "{{input.manager}}", requiredApprovals: 1 };
    const taskId = await asked(more, { manager: emailOf(cid) });
    expect((await resume(ann, taskId)).status).toBe(403);
    expect((await resume(cid, taskId)).status).toBe(200);
    await reach(ann, taskId, "completed");
    const workflowId = await save(ann, [{ stepId: "ask", type: "approval", message: "?", ...more }]);
    const task = await reach(ann, await start(ann, workflowId, { manager: "x@example.com" }), "failed");
    expect(stepOf(task, "ask").error.message).toContain("x@example.com is not a member");
  });

  test("cannot require more approvals than it names people", async () => {
    const step = {
      stepId: "ask",
      type: "approval",
      message: "?",
      approvers: emailOf(bob),
      requiredApprovals: 2,
    };
    const { status, body } = await ann.post("/api/workflows", {
      name: "Too many",
      metadata: { steps: [step], edges: [] },
    });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ code: "invalid_field", stepId: "ask" }]);
  });

  test("follows a member who loses the role that may approve", async () => {
    const guest = await registerUser(app, "guest");
    const member = `workspace_id = '${teamId}' and user_id = '${guest.user.id}'`;
    await app.sql(
      `insert into member (workspace_id, user_id, role, created_at) values ('${teamId}', '${guest.user.id}', 'operator', 0)`,
    );
    const taskId = await asked({ approvers: guest.user.email, requiredApprovals: 1 });
    const token = tokenIn((await linkOf(ann, taskId, { approver: guest.user.email })).body.url);
    await app.sql(`update member set role = 'viewer' where ${member} returning role`);
    expect((await decideBy(token, { approved: true })).status).toBe(403);
    await app.sql(`delete from member where ${member} returning role`);
    expect((await decideBy(token, { approved: true })).status).toBe(403);
    expect((await app.anonymous.get(`/api/approval-links/${token}`)).status).toBe(403);
  });
});

describe("an approval whose approvers are gone", () => {
  test("is decided by admins while too few approvers are left, and by nobody else", async () => {
    const guest = await registerUser(app, "guest");
    const member = `workspace_id = '${teamId}' and user_id = '${guest.user.id}'`;
    await app.sql(
      `insert into member (workspace_id, user_id, role, created_at) values ('${teamId}', '${guest.user.id}', 'operator', 0)`,
    );
    const taskId = await asked({ approvers: [guest.user.email, emailOf(bob)], requiredApprovals: 2 });
    const canDecide = async (user: typeof ann) => (await listed(user, `taskId=${taskId}`))[0]!["canDecide"];
    expect((await resume(ann, taskId)).status).toBe(403);
    expect(await canDecide(ann)).toBe(false);
    await app.sql(`delete from member where ${member} returning role`);
    expect([await canDecide(ann), await canDecide(bob), await canDecide(cid)]).toEqual([true, true, false]);
    expect((await resume(cid, taskId)).status).toBe(403);
    expect((await resume(ann, taskId, { comment: "instead" })).body.status).toBe("waiting_approval");
    // With the decision of the admin, as many approvers are left as approvals are missing.
    expect((await resume(ann, taskId)).body.error).toBe("already_decided");
    expect((await resume(bob, taskId)).body.status).toBe("running");
    const { result } = await reach(ann, taskId, "completed");
    expect(result.output.decisions).toMatchObject([{ by: { id: ann.user.id } }, { by: { id: bob.user.id } }]);
  });

  test("is not decided by a service account; one without approvers is", async () => {
    const account = (await ann.post("/api/service-accounts", { name: "CI", role: "admin" })).body
      .serviceAccount;
    const { rawKey } = (await ann.post("/api/keys", { scopes: ["runs:write"], serviceAccountId: account.id }))
      .body;
    const byKey = (taskId: string) =>
      app.anonymous.post(`/api/tasks/${taskId}/resume`, {}, { authorization: `Bearer ${rawKey}` });
    expect((await byKey(await asked({ approvers: ["role:operator"], requiredApprovals: 1 }))).status).toBe(
      403,
    );
    const plain = await asked({ approvers: undefined, requiredApprovals: undefined });
    expect((await byKey(plain)).status).toBe(200);
    await reach(ann, plain, "completed");
    expect((await ann.get(`/api/tasks/${plain}/decisions`)).body.decisions).toMatchObject([
      { by: { id: account.id }, via: "api_key" },
    ]);
  });
});

describe("a link to an approval with approvers", () => {
  test("is personal: it decides in the name of its approver, and counts with their login", async () => {
    const taskId = await asked();
    const { body } = await linkOf(bob, taskId);
    const token = tokenIn(body.url);
    expect((await app.anonymous.get(`/api/approval-links/${token}`)).body.approval).toMatchObject({
      approver: { email: emailOf(bob) },
      requiredApprovals: 2,
      approvals: 0,
    });
    expect((await decideBy(token, { approved: true, comment: "by link" })).body.decision).toBe("approve");
    expect((await decideBy(token, { approved: false })).body.error).toBe("already_decided");
    expect((await app.anonymous.get(`/api/approval-links/${token}`)).body.error).toBe("already_decided");
    expect((await resume(bob, taskId)).body.error).toBe("already_decided");
    await resume(ann, taskId);
    const { result } = await reach(ann, taskId, "completed");
    expect(result.output.decisions[0]).toMatchObject({
      by: { id: bob.user.id, email: emailOf(bob) },
      via: "link",
      comment: "by link",
    });
    expect((await decideBy(token, { approved: true })).body.error).toBe("task_not_waiting");
    const { events } = (await ann.get(`/api/audit-events?action=decideApprovalByLink&target=${taskId}`)).body;
    expect(events).toMatchObject([
      { outcome: "succeeded", actor: { kind: "approval_link", id: bob.user.id }, target: { id: taskId } },
    ]);
  });

  test("of another approver is shown to admins only, and the record names who was shown it", async () => {
    const taskId = await asked();
    expect((await linkOf(bob, taskId, { approver: emailOf(ann) })).status).toBe(403);
    expect((await linkOf(cid, taskId)).status).toBe(403);
    expect((await linkOf(ann, taskId, { approver: emailOf(cid) })).status).toBe(403);
    const token = tokenIn((await linkOf(ann, taskId, { approver: emailOf(bob) })).body.url);
    await decideBy(token, { approved: true });
    expect((await ann.get(`/api/tasks/${taskId}/decisions`)).body.decisions).toMatchObject([
      { by: { id: bob.user.id }, via: "link", linkCreatedBy: ann.user.id },
    ]);
  });

  test("is not the link that anyone may use, and a step without approvers has no personal one", async () => {
    const plain = await asked({ approvers: undefined, requiredApprovals: undefined });
    expect((await linkOf(bob, plain, { approver: emailOf(bob) })).status).toBe(400);
    const anyone = tokenIn((await linkOf(bob, plain)).body.url);
    expect((await decideBy(anyone, { approved: true })).status).toBe(200);
    expect((await reach(ann, plain, "completed")).result.output).toEqual({
      decision: "approve",
      comment: null,
      decidedBy: "link",
      data: null,
    });
    expect((await ann.get(`/api/tasks/${plain}/decisions`)).body.decisions).toMatchObject([
      { by: { id: "link", name: null, email: null }, via: "link" },
    ]);
  });

  test("is sent to each approver by email, and an address that is none is reported", async () => {
    const before = mail.received.length;
    const taskId = await asked({ notifyEmail: ["approvers", "boss@example.com"] });
    const sent = () => mail.received.slice(before);
    await expect.poll(() => sent().length).toBe(2);
    expect(
      sent()
        .map(({ to }) => to[0])
        .toSorted(),
    ).toEqual([emailOf(ann), emailOf(bob)].toSorted());
    await expect
      .poll(async () => (await listed(ann, `taskId=${taskId}`))[0]!["notice"])
      .toMatchObject({ error: "boss@example.com is not an approver of this step." });
    for (const { to, raw } of sent()) {
      const token = tokenIn(raw.replaceAll("=\r\n", "").replaceAll("=3D", "="));
      expect((await app.anonymous.get(`/api/approval-links/${token}`)).body.approval.approver.email).toBe(
        to[0],
      );
      expect((await decideBy(token, { approved: true })).status).toBe(200);
    }
    await reach(ann, taskId, "completed");
    expect(sent()).toHaveLength(2);
    const { decisions } = (await ann.get(`/api/tasks/${taskId}/decisions`)).body;
    for (const decision of decisions) expect(decision).not.toHaveProperty("linkCreatedBy");
  });

  test("reports an address that is none again when its emails are sent again", async () => {
    const taskId = await asked({ notifyEmail: ["boss@example.com"] });
    const reported = async () => {
      const [approval] = await listed(ann, `taskId=${taskId}`);
      return (approval!["notice"] as { error: string | null } | undefined)?.error;
    };
    await expect.poll(reported).toContain("is not an approver");
    expect((await ann.post(`/api/tasks/${taskId}/approvals/ask/notify`)).status).toBe(200);
    await expect.poll(reported).toContain("is not an approver");
  });
});
