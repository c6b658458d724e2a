import { describe, expect, test } from "vitest";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { ended, makeAgents, makeTeam, readLog, run, speakerOf, until, useTeamApp } from "./team-app.ts";

describe("a session", () => {
  test("ends at the turn limit with the last message as its result and an entry with the reason", async () => {
    const { ada, stub } = await useTeamApp({ TEAM_MAX_TURNS: "4" });
    const [ann, ben] = await makeAgents(ada, "Ann", "Ben");
    stub.answerWith((request) => (speakerOf(request) === "Ann" ? "@Ben: your turn" : "@Ann: no, yours"));
    const team = await makeTeam(ada, { agents: [ann, ben] });
    const sessionId = await run(ada, team.id);
    expect(await ended(ada, sessionId)).toMatchObject({
      status: "completed",
      result: { output: "no, yours", stoppedBy: "turn_limit" },
    });
    expect((await readLog(ada, sessionId)).at(-1)).toMatchObject({
      type: "status",
      content: { reason: "turn_limit" },
    });
  });

  test("ends at the token limit", async () => {
    const { ada, stub } = await useTeamApp({ TEAM_MAX_TOKENS: "30" });
    stub.answerWith((request) => (speakerOf(request) === "Ann" ? "@Ben: your turn" : "@Ann: no, yours"));
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
    const session = await ended(ada, await run(ada, team.id));
    expect(session).toMatchObject({ result: { stoppedBy: "token_limit" }, usage: { totalTokens: 40 } });
  });

  test("counts the tokens of a turn that failed", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith({ text: "Once", finishReason: "length" });
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann") });
    const session = await ended(ada, await run(ada, team.id));
    expect(session).toMatchObject({ status: "failed", usage: { totalTokens: 20 } });
  });

  test("can be cancelled during a turn, and no entry follows", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith({ hang: true });
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann") });
    const sessionId = await run(ada, team.id);
    await until(
      () => stub.requests.length,
      (count) => count === 1,
    );
    const { body } = await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
    expect(body).toMatchObject({ ok: true, session: { status: "cancelled" } });
    expect((await readLog(ada, sessionId)).at(-1)).toMatchObject({
      seq: 2,
      type: "status",
      content: { status: "cancelled" },
    });
    expect((await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`)).body.error).toBe(
      "session_ended",
    );
    const late = await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "Hello?" });
    expect([late.status, late.body.error]).toEqual([409, "session_cancelled"]);
  });

  test("that is cancelled also cancels the tasks of its agents' tools", async () => {
    const { ada, stub } = await useTeamApp();
    const { body } = await ada.post("/api/workflows", {
      name: "Wait",
      metadata: { steps: [{ stepId: "wait", type: "approval", message: "Go on?" }], edges: [] },
    });
    const { agent } = (
      await ada.post("/api/agents", { name: "Ann", tools: { workflows: [body.workflow.id] } })
    ).body;
    // The tool reports that a user has to decide; the agent continues.
    stub.answerWith({ toolCalls: [{ name: "run_wait", arguments: { input: {} } }] }, { hang: true });
    const team = await makeTeam(ada, { agents: [agent.id] });
    const sessionId = await run(ada, team.id);
    const started = () => ada.get(`/api/tasks?workflowId=${body.workflow.id}`).then(({ body }) => body.tasks);
    await until(
      () => stub.requests.length,
      (count) => count === 2,
    );
    const [task] = await started();
    expect(task.status).toBe("waiting_approval");
    expect(task).toMatchObject({ trigger: "team", sessionId });
    expect(task).not.toHaveProperty("parentTaskId");
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
    expect(await started()).toMatchObject([{ id: task.id, status: "cancelled" }]);
  });

  test("without a model fails with an error that names the setting", async () => {
    const app = await useTestApp({ TEAM_JOIN_WAIT_MS: "0" });
    const ada = await registerUser(app);
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann") });
    const sessionId = await run(ada, team.id);
    expect(await ended(ada, sessionId)).toMatchObject({
      status: "failed",
      result: null,
      error: { code: "llm_not_configured" },
    });
    expect((await readLog(ada, sessionId)).at(-1)).toMatchObject({
      type: "error",
      content: { code: "llm_not_configured", message: expect.stringContaining("LLM_PROVIDER") },
    });
  });

  test("with one failing agent of a mesh continues with the others", async () => {
    const { ada } = await useTeamApp();
    const [ann] = await makeAgents(ada, "Ann");
    const broken = (await ada.post("/api/agents", { name: "Broken", provider: "nobody" })).body.agent.id;
    const team = await makeTeam(ada, { agents: [broken, ann] });
    const sessionId = await run(ada, team.id);
    expect(await ended(ada, sessionId)).toMatchObject({
      status: "completed",
      result: { output: "Ann has spoken" },
    });
    expect((await readLog(ada, sessionId)).map(({ type }) => type)).toEqual([
      "user_prompt",
      "error",
      "agent_result",
    ]);
  });
});
