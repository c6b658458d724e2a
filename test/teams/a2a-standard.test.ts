import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { clientFor, say } from "../a2a/a2a-client.ts";
import { ended, makeAgents, makeTeam, readLog, readSession, useTeamApp, until } from "./team-app.ts";

async function setting(agents = ["Ann"], settings: Record<string, string> = {}) {
  const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "600000", ...settings });
  const team = await makeTeam(service.ada, {
    agents: await makeAgents(service.ada, ...agents),
    externalAgents: [{ name: "scout", capabilities: [] }],
  });
  return { ...service, team, base: `${service.address}/a2a/${team.id}` };
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("a team as an A2A 1.0 agent over %s", (binding) => {
  test("starts a session, answers, continues in the same context, and returns the task by its id", async () => {
    const { ada, team, base } = await setting();
    const client = await clientFor(base, binding, { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" });
    const task = await client.sendMessage(say("Hello"));
    if (!("artifacts" in task)) throw new Error("not a task");
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: "text", value: "Ann has spoken" });
    expect((await readSession(ada, task.contextId)).status).toBe("completed");
    expect((await readLog(ada, task.contextId))[0]).toMatchObject({
      from: { id: "scout", type: "external" },
      content: { text: "Hello" },
    });

    const next = await client.sendMessage(say("And now?", { contextId: task.contextId }));
    if (!("artifacts" in next)) throw new Error("not a task");
    expect([next.contextId, next.status?.state]).toEqual([task.contextId, TaskState.TASK_STATE_COMPLETED]);
    expect(next.id).not.toBe(task.id);
    expect(await readLog(ada, task.contextId)).toHaveLength(4);
    expect((await client.getTask({ tenant: "", id: task.id, historyLength: 1 })).history).toHaveLength(1);
  });

  test("streams every entry, then the result, then the end", async () => {
    const { team, base } = await setting(["Ann", "Ben"]);
    const client = await clientFor(base, binding, { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" });
    const kinds: string[] = [];
    let last: number | undefined;
    for await (const event of client.sendMessageStream(say("Hello"))) {
      kinds.push(event.payload?.$case ?? "none");
      if (event.payload?.$case === "statusUpdate") last = event.payload.value.status?.state;
    }
    expect(kinds[0]).toBe("task");
    expect(kinds.slice(-2)).toEqual(["artifactUpdate", "statusUpdate"]);
    expect(last).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("cancels a task", async () => {
    const { ada, stub, team, base } = await setting();
    stub.answerWith({ hang: true });
    const client = await clientFor(base, binding, { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" });
    const configuration = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: true,
    };
    const task = await client.sendMessage({ ...say("Hello"), configuration });
    if (!("artifacts" in task)) throw new Error("not a task");
    await until(
      () => stub.requests.length,
      (count) => count === 1,
    );
    const cancelled = await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await readSession(ada, task.contextId)).status).toBe("cancelled");
    await expect(client.cancelTask({ tenant: "", id: task.id, metadata: undefined })).rejects.toThrow();
  });

  test("rejects an unknown task, another team's context and an empty message", async () => {
    const { ada, team, base } = await setting();
    const client = await clientFor(base, binding, { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" });
    const other = await makeTeam(ada);
    const foreign = (await ada.post(`/api/agent-teams/${other.id}/run`, { objective: "Secret" })).body
      .sessionId;
    await expect(
      client.getTask({ tenant: "", id: `${foreign}.1`, historyLength: undefined }),
    ).rejects.toThrow(/no task/);
    await expect(client.getTask({ tenant: "", id: "../../etc", historyLength: undefined })).rejects.toThrow();
    await expect(client.sendMessage(say("Hello", { contextId: foreign }))).rejects.toThrow(/not a session/);
    await expect(client.sendMessage(say(""))).rejects.toThrow(/parts/);
    expect(await readLog(ada, foreign)).toHaveLength(1);
  });
});

describe("access over A2A", () => {
  test("the open requests of one team are limited, and an ended one makes room", async () => {
    const { team, base, stub } = await setting(["Ann"], { STREAMS_PER_USER: "1" });
    stub.answerWith({ hang: true });
    const headers = { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" };
    const client = await clientFor(base, "HTTP+JSON", headers);
    const stop = new AbortController();
    const events = client.sendMessageStream(say("Hello"), { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    const read = () => fetch(`${base}/tasks/unknown`, { headers });
    const refused = await read();
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: "limit_reached", details: { limit: "STREAMS_PER_USER" } },
    ]);
    stop.abort();
    await events.next().catch(() => undefined);
    await until(
      () => read(),
      ({ status }) => status !== 429,
    );
  });

  test("serves the card without a secret, and the card contains none", async () => {
    const { app, team, address } = await setting();
    const { status, body, text } = await app.anonymous.get(`/a2a/${team.id}/.well-known/agent-card.json`, {
      host: new URL(address).host,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Crew",
      capabilities: { streaming: true },
      skills: [{ id: "Ann-work" }],
      supportedInterfaces: [
        { url: `${address}/a2a/${team.id}`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
    });
    expect(text).not.toContain(team.a2aSecret);
    expect((await app.anonymous.get("/a2a/team_unknown/.well-known/agent-card.json")).body.error).toBe(
      "team_not_found",
    );
  });

  test("[S18] requires the secret and a listed name", async () => {
    const { app, team } = await setting();
    const call = (headers: Record<string, string>) =>
      app.anonymous.post(
        `/a2a/${team.id}`,
        { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } },
        headers,
      );
    const outcome = async (headers: Record<string, string>) => {
      const { status, body } = await call(headers);
      return [status, typeof body.error === "string" ? body.error : body.error.code];
    };
    expect(await outcome({})).toEqual([401, "missing_secret"]);
    expect(await outcome({ "x-a2a-secret": "wrong", "x-a2a-agent": "scout" })).toEqual([
      403,
      "invalid_secret",
    ]);
    expect(await outcome({ "x-a2a-secret": team.a2aSecret })).toEqual([403, "unknown_agent"]);
    expect(await outcome({ "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "stranger" })).toEqual([
      403,
      "unknown_agent",
    ]);
    expect(
      await outcome({ "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout", "a2a-version": "1.0" }),
    ).toEqual([200, -32001]);
    // Without a version the caller speaks 0.3, which has no method of this name.
    expect(await outcome({ "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "scout" })).toEqual([200, -32601]);
  });

  test("a session started over A2A is the same in the war room and over HTTP", async () => {
    const { ada, team, base } = await setting();
    const client = await clientFor(base, "JSONRPC", {
      "x-a2a-secret": team.a2aSecret,
      "x-a2a-agent": "scout",
    });
    const task = await client.sendMessage(say("Hello"));
    const { contextId } = task;
    await ada.post(`/api/agent-teams/sessions/${contextId}/messages`, { content: "I am here, too" });
    await ended(ada, contextId);
    expect((await readLog(ada, contextId)).map(({ from }) => from.type)).toEqual([
      "external",
      "internal",
      "user",
      "internal",
    ]);
  });
});
