import { describe, expect, test } from "vitest";
import { registerUser } from "../support/test-app.ts";
import {
  connect,
  ended,
  makeAgents,
  makeTeam,
  outline,
  readLog,
  readSession,
  run,
  seqs,
  until,
  upTo,
  useTeamApp,
} from "./team-app.ts";

describe("a session", () => {
  test("becomes active again with a user's message, to one agent or to all", async () => {
    const { ada } = await useTeamApp();
    const [ann, ben] = await makeAgents(ada, "Ann", "Ben");
    const team = await makeTeam(ada, { agents: [ann, ben] });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    const posted = await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, {
      to: "ben",
      content: "Once more",
    });
    expect(posted.body).toMatchObject({ ok: true, sessionId, seq: 4 });
    await until(
      () => readLog(ada, sessionId),
      (log) => log.length === 5,
    );
    expect(outline(await readLog(ada, sessionId, 3))).toEqual([
      [ada.user.id, ben, "user_prompt", "Once more"],
      [ben, "broadcast", "agent_result", "Ben has spoken"],
    ]);
    expect((await ended(ada, sessionId)).status).toBe("completed");
  });

  test("runs its agents' workflows as separate tasks, whose ids are in the log", async () => {
    const { ada, stub } = await useTeamApp();
    const { body } = await ada.post("/api/workflows", {
      name: "Add one",
      metadata: { steps: [{ stepId: "sum", type: "transform", expression: "input.n + 1" }], edges: [] },
    });
    const workflowId: string = body.workflow.id;
    const agent = (await ada.post("/api/agents", { name: "Ann", tools: { workflows: [workflowId] } })).body
      .agent;
    stub.answerWith({ toolCalls: [{ name: "run_add_one", arguments: { input: { n: 41 } } }] }, "It is 42.");
    const team = await makeTeam(ada, { agents: [agent.id] });
    const sessionId = await run(ada, team.id, "Add one to 41");
    expect((await ended(ada, sessionId)).result?.output).toBe("It is 42.");
    const [, call, result] = await readLog(ada, sessionId);
    expect(call).toMatchObject({
      type: "tool_call",
      from: { id: agent.id },
      content: { tool: "run_add_one", input: { input: { n: 41 } } },
    });
    expect(result).toMatchObject({ type: "tool_result", content: { failed: false, output: { output: 42 } } });
    const { taskId } = result!.content["output"] as { taskId: string };
    expect((await ada.get(`/api/tasks/${taskId}`)).body.task).toMatchObject({
      trigger: "team",
      workflowId,
      status: "completed",
      input: { n: 41 },
    });
  });

  test("runs as a task that is not visible or accessible as a task", async () => {
    const { app, ada } = await useTeamApp();
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann") });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    for (const query of ["", "?status=waiting", "?status=completed", "?workflowId=session"])
      expect((await ada.get(`/api/tasks${query}`)).body.tasks).toEqual([]);
    const eve = await registerUser(app, "eve");
    for (const user of [ada, eve])
      for (const [verb, path] of [
        ["get", ""],
        ["get", "/events"],
        ["post", "/cancel"],
        ["post", "/resume"],
        ["post", "/rerun-from-failed"],
        ["post", "/replay"],
      ] as const) {
        const { status, body } = await user[verb](`/api/tasks/${sessionId}${path}`);
        expect([verb, path, status, body.error]).toEqual([verb, path, 404, "task_not_found"]);
      }
    expect((await readSession(ada, sessionId)).status).toBe("completed");
  });

  test("shows its turns and tokens, and their limits", async () => {
    const { ada } = await useTeamApp({ TEAM_MAX_TURNS: "7", TEAM_MAX_TOKENS: "5000" });
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
    const sessionId = await run(ada, team.id);
    const counted = { turns: 2, usage: { totalTokens: 40 }, limits: { turns: 7, tokens: 5000 } };
    expect(await ended(ada, sessionId)).toMatchObject(counted);
    expect((await ada.get(`/api/agent-teams/${team.id}/sessions`)).body.sessions).toMatchObject([counted]);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { to: "Ann", content: "And you?" });
    await until(
      () => readLog(ada, sessionId),
      (log) => log.length === 5,
    );
    expect(await ended(ada, sessionId)).toMatchObject({ turns: 1, usage: { totalTokens: 60 } });
  });

  test("with a slow model delays no task, and a slow task delays no session", async () => {
    const { ada, stub } = await useTeamApp({ WORKER_CONCURRENCY: "1" });
    const workflow = async (step: object): Promise<string> =>
      (
        await ada.post("/api/workflows", {
          name: "One step",
          metadata: { steps: [{ stepId: "only", ...step }], edges: [] },
        })
      ).body.workflow.id;
    const start = async (id: string, wait: boolean) =>
      (await ada.post(`/api/workflows/${id}/run?wait=${wait}`, {})).body;
    stub.answerWith({ hang: true });
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann") });
    const thinking = await run(ada, team.id);
    await until(
      () => stub.requests.length,
      (count) => count === 1,
    );
    expect((await start(await workflow({ type: "transform", template: 1 }), true)).status).toBe("completed");
    await ada.post(`/api/agent-teams/sessions/${thinking}/cancel`);

    const asking = await workflow({ type: "llm", prompt: "Think" });
    await start(asking, false);
    await until(
      () => stub.requests.length,
      (count) => count === 2,
    );
    expect((await start(asking, false)).status).toBe("queued");
    stub.answerWith("Done.");
    expect((await ended(ada, await run(ada, team.id))).status).toBe("completed");
    const { tasks } = (await ada.get(`/api/tasks?workflowId=${asking}`)).body;
    expect(tasks).toMatchObject([{ status: "queued" }, { status: "running" }]);
    for (const { id } of tasks) await ada.post(`/api/tasks/${id}/cancel`);
  });

  test("without a registered agent stays open for external agents", async () => {
    const { ada } = await useTeamApp();
    const team = await makeTeam(ada, { agents: ["agent_not_yet"] });
    const sessionId = await run(ada, team.id);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "Anybody?" });
    expect((await readSession(ada, sessionId)).status).toBe("active");
  });

  test("starts once per Idempotency-Key, for repeated and for concurrent requests", async () => {
    const { ada } = await useTeamApp();
    const team = await makeTeam(ada);
    const start = (objective: string, key: string) =>
      ada.post(`/api/agent-teams/${team.id}/run`, { objective }, { "idempotency-key": key });
    const answers = await Promise.all(upTo(10).map(() => start("Go", "key-1")));
    expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(1);
    expect((await start("Go elsewhere", "key-1")).body.error).toBe("idempotency_conflict");
    expect((await start("Go", "key-2")).body.sessionId).not.toBe(answers[0]?.body.sessionId);
    expect((await ada.get(`/api/agent-teams/${team.id}/sessions`)).body.sessions).toHaveLength(2);
  });

  test("numbers fifty concurrent messages without a gap", async () => {
    const { ada } = await useTeamApp();
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
    const sessionId = await run(ada, team.id);
    const responses = await Promise.all(
      upTo(50).map((n) =>
        ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `message ${n}` }),
      ),
    );
    expect(new Set(responses.map(({ body }) => body.seq)).size).toBe(50);
    await ended(ada, sessionId);
    const log = await readLog(ada, sessionId);
    expect(seqs(log)).toEqual(upTo(log.length));
  });
});

test("[R14] a log of large messages is complete over HTTP and in the war room", async () => {
  const { ada, address } = await useTeamApp();
  const sessionId = await run(ada, (await makeTeam(ada)).id);
  for (let n = 2; n <= 6; n++)
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "x".repeat(700_000) });
  expect(seqs(await readLog(ada, sessionId))).toEqual(upTo(6));
  expect(seqs(await readLog(ada, sessionId, 6))).toEqual([]);
  const client = await connect(address, ada.token);
  const { messages } = await client.ask("join_war_room", { sessionId });
  expect(seqs(messages)).toEqual([1, 2, 3]);
  await until(
    () => client.messages(),
    (rest) => rest.length === 3,
  );
  expect(seqs(client.messages())).toEqual([4, 5, 6]);
});
