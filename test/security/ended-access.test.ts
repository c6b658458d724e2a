import { afterAll, expect, test } from "vitest";
import { reach, save, start } from "../../server/engine/testing/workbench.ts";
import { bearer } from "../support/endpoints.ts";
import { startMailServer } from "../support/mail-server.ts";
import { connectApp } from "../support/oauth.ts";
import { createTestApp, registerUser } from "../support/test-app.ts";
import { addTeamWorkspace, inWorkspace } from "../support/workspaces.ts";

const mail = await startMailServer();
const app = await createTestApp({ SMTP_URL: mail.url, SMTP_FROM: "Baton <baton@example.com>" });
afterAll(async () => {
  await app.close();
  await mail.close();
});
const [root, ann, bob] = await Promise.all(["root", "ann", "bob"].map((name) => registerUser(app, name)));

async function makeTeam() {
  const id = await addTeamWorkspace(app, [
    [root!, "owner"],
    [ann!, "admin"],
    [bob!, "operator"],
  ]);
  return { id, root: inWorkspace(root!, id), bob: inWorkspace(bob!, id) };
}

async function whileDisabled<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const set = (value: string) => app.sql(`update account set disabled_at = ${value} where id = '${userId}'`);
  await set("1");
  return work().finally(() => set("null"));
}

test("the link of an approver whose account is disabled decides nothing, and admins decide instead", async () => {
  const team = await makeTeam();
  const step = { stepId: "ask", type: "approval", message: "Pay?", approvers: [bob!.email] };
  const taskId = await start(team.root, await save(team.root, [step]));
  await reach(team.root, taskId, "waiting_approval");
  const { url } = (await team.bob.post(`/api/tasks/${taskId}/approvals/ask/link`, {})).body;
  const decide = () => app.anonymous.post(`/api/approval-links/${url.split("/a/")[1]}`, { approved: true });
  await whileDisabled(bob!.user.id, async () => {
    expect((await decide()).body.error).toBe("forbidden");
    const { approvers } = (await team.root.get("/api/approvers")).body;
    expect(approvers.map(({ id }: { id: string }) => id)).not.toContain(bob!.user.id);
    const [approval] = (await team.root.get(`/api/approvals?taskId=${taskId}`)).body.approvals;
    expect(approval.canDecide).toBe(true);
  });
  expect((await decide()).body).toMatchObject({ ok: true, decision: "approve" });
});

test("a member whose account is disabled gets no mail about runs", async () => {
  const team = await makeTeam();
  await app.sql("update account set email_confirmed_at = 1");
  const failing = { stepId: "call", type: "http", method: "GET", url: "http://127.0.0.1:1/" };
  await whileDisabled(ann!.user.id, async () => {
    await reach(team.root, await start(team.root, await save(team.root, [failing])), "failed");
    const receivers = async () =>
      (await app.sql(`select user_id from notification_person where owner_id = '${team.id}'`)).map(
        (row) => row["user_id"],
      );
    await expect.poll(receivers, { timeout: 20_000 }).toContain(root!.user.id);
    expect(await receivers()).not.toContain(ann!.user.id);
  });
});

test("a connected app opens nothing while its person is a viewer, whoever changed the role", async () => {
  const team = await makeTeam();
  const { tokens } = await connectApp(bob!, { workspaceId: team.id });
  const ping = async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    return (await app.anonymous.post("/mcp", body, bearer(tokens.access_token))).status;
  };
  expect(await ping()).toBe(200);
  const member = `workspace_id = '${team.id}' and user_id = '${bob!.user.id}'`;
  await app.sql(`update member set role = 'viewer' where ${member}`);
  expect(await ping()).toBe(401);
  await app.sql(`delete from member where ${member}`);
  expect(await ping()).toBe(401);
});
