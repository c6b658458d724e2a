import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../contract/teams.ts";
import { useTestApp, registerUser } from "../support/test-app.ts";
import {
  ended,
  heardBy,
  makeAgents,
  makeTeam,
  readLog,
  readSession,
  run,
  seqs,
  speakerOf,
  until,
  upTo,
  useTeamApp,
} from "./room.ts";

const outline = (log: readonly LogEntry[]) =>
  log.map(({ from, to, type, content }) => [from.id, to.id, type, content["text"]]);

describe("a session", () => {
  test("of a mesh: everybody answers, having heard those before, and the last word is the result", async () => {
    const { ada, stub } = await useTeamApp();
    const [ann, ben] = await makeAgents(ada, "Ann", "Ben");
    const team = await makeTeam(ada, { agents: [ann, ben] });
    const sessionId = await run(ada, team.id, "Name a colour");
    const session = await ended(ada, sessionId);
    expect(session).toMatchObject({
      teamId: team.id,
      objective: "Name a colour",
      status: "completed",
      result: { output: "Ben has spoken", from: ben, stoppedBy: "finished" },
      usage: { inputTokens: 24, outputTokens: 16, totalTokens: 40 },
    });
    const log = await readLog(ada, sessionId);
    expect(outline(log)).toEqual([
      [ada.user.id, "broadcast", "user_prompt", "Name a colour"],
      [ann, "broadcast", "agent_result", "Ann has spoken"],
      [ben, "broadcast", "agent_result", "Ben has spoken"],
    ]);
    expect(seqs(log)).toEqual([1, 2, 3]);
    expect(log[0]).toMatchObject({
      sessionId,
      teamId: team.id,
      from: { type: "user" },
      id: expect.stringMatching(/^msg_/),
    });
    expect(heardBy(stub.requests[1]!.body)).toContain("Ann: Ann has spoken");
  });

  test("of a hierarchy: the lead delegates, its people hear only their own work, the lead concludes", async () => {
    const { ada, stub } = await useTeamApp();
    const [lead, ann, ben] = await makeAgents(ada, "Lead", "Ann", "Ben");
    stub.answerWith((request) => {
      if (speakerOf(request) !== "Lead") return `${speakerOf(request)} did it`;
      return heardBy(request).includes("did it")
        ? "All is done."
        : "@Ann: the left half\n@Ben: the right half";
    });
    const team = await makeTeam(ada, { agents: [lead, ann, ben], topology: "hierarchical" });
    const sessionId = await run(ada, team.id, "Paint the wall");
    expect((await ended(ada, sessionId)).result).toEqual({
      output: "All is done.",
      from: lead,
      stoppedBy: "finished",
    });
    expect(outline(await readLog(ada, sessionId)).slice(1)).toEqual([
      [lead, ann, "agent_message", "the left half"],
      [lead, ben, "agent_message", "the right half"],
      [ann, lead, "agent_result", "Ann did it"],
      [ben, lead, "agent_result", "Ben did it"],
      [lead, "broadcast", "agent_result", "All is done."],
    ]);
    const benHeard = heardBy(stub.requests.find(({ body }) => speakerOf(body) === "Ben")!.body);
    expect(benHeard).toContain("the right half");
    expect(benHeard).not.toMatch(/left half|Ann did it|Paint the wall/);
  });

  test("of a line: each hears the objective and the one before, and hands on", async () => {
    const { ada, stub } = await useTeamApp();
    const ids = await makeAgents(ada, "Ann", "Ben", "Cid");
    const team = await makeTeam(ada, { agents: ids, topology: "linear" });
    const sessionId = await run(ada, team.id, "Write a poem");
    expect((await ended(ada, sessionId)).result).toMatchObject({ output: "Cid has spoken", from: ids[2] });
    expect(
      outline(await readLog(ada, sessionId))
        .slice(1)
        .map(([from, to]) => [from, to]),
    ).toEqual([
      [ids[0], ids[1]],
      [ids[1], ids[2]],
      [ids[2], "broadcast"],
    ]);
    const cidHeard = heardBy(stub.requests[2]!.body);
    expect(cidHeard).toContain("Write a poem");
    expect(cidHeard).toContain("Ben has spoken");
    expect(cidHeard).not.toContain("Ann has spoken");
  });

  test("is opened again by a person's word, to one agent or to all", async () => {
    const { ada } = await useTeamApp();
    const [ann, ben] = await makeAgents(ada, "Ann", "Ben");
    const team = await makeTeam(ada, { agents: [ann, ben] });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    const said = await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, {
      to: "ben",
      content: "Once more",
    });
    expect(said.body).toMatchObject({ ok: true, sessionId, seq: 4 });
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

  test("runs its agents' workflows as tasks of their own, named in the log", async () => {
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

  test("is driven by a task that nobody sees or touches as one", async () => {
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

  test("shows how many turns and tokens it has taken, and how many it may", async () => {
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

  test("that thinks for long holds up no task, and a task that takes long no session", async () => {
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

  test("that is cancelled takes along what its agents' tools have started", async () => {
    const { ada, stub } = await useTeamApp();
    const { body } = await ada.post("/api/workflows", {
      name: "Wait",
      metadata: { steps: [{ stepId: "wait", type: "approval", message: "Go on?" }], edges: [] },
    });
    const { agent } = (
      await ada.post("/api/agents", { name: "Ann", tools: { workflows: [body.workflow.id] } })
    ).body;
    // The tool answers that a person has to decide; the agent goes on thinking.
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

  test("ends at the turn limit with what was said last, and says so", async () => {
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

  test("can be cancelled in the middle of a turn, and nothing is said after", async () => {
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

  test("without a model leaves an error that names the setting, and fails", async () => {
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

  test("with one failing agent of a mesh goes on with the others", async () => {
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

  test("without a registered agent stays open for those outside", async () => {
    const { ada } = await useTeamApp();
    const team = await makeTeam(ada, { agents: ["agent_not_yet"] });
    const sessionId = await run(ada, team.id);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "Anybody?" });
    expect((await readSession(ada, sessionId)).status).toBe("active");
  });

  test("begins once for one Idempotency-Key, however often and however many at once", async () => {
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

  test("numbers what fifty people say at once without a gap", async () => {
    const { ada } = await useTeamApp();
    const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
    const sessionId = await run(ada, team.id);
    const said = await Promise.all(
      upTo(50).map((n) =>
        ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `word ${n}` }),
      ),
    );
    expect(new Set(said.map(({ body }) => body.seq)).size).toBe(50);
    await ended(ada, sessionId);
    const log = await readLog(ada, sessionId);
    expect(seqs(log)).toEqual(upTo(log.length));
  });
});
