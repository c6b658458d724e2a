import { expect, onTestFinished, test } from "vitest";
import { createEgress, type EgressOptions } from "../security/egress.ts";
import { callTool } from "./call-tool.ts";
import { createMcpClients, type McpClientsDeps } from "./mcp-clients.ts";
import type { McpCallOptions } from "./mcp-target.ts";
import { answer, listen, refuse, type RpcCall, scriptedServer, startEvents } from "./testing/http-servers.ts";
import { outputOf } from "./tool-result.ts";

const clock = { now: () => 0, monotonic: () => 0 };
const DONE = { content: [{ type: "text", text: "done" }] };
const COMPLETE = { resultType: "complete", ...DONE };

function clientsWith(options: Partial<EgressOptions & McpClientsDeps> = {}) {
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [], ...options });
  onTestFinished(() => egress.close());
  return createMcpClients({ egress, clock, minRetryMs: 1, ...options });
}

async function callWork(
  url: string,
  options: Partial<McpCallOptions & EgressOptions & McpClientsDeps> = {},
  clients = clientsWith(options),
) {
  const { signal = new AbortController().signal, timeoutMs = 10_000, answers } = options;
  const target = { kind: "http" as const, url: new URL(url), headers: {} };
  return clients.call(
    target,
    { signal, timeoutMs, answers },
    async (session) => await outputOf("work", await callTool(session, "work", {})),
  );
}

const event = (id: string, message?: object) =>
  `retry: 5\nid: ${id}\ndata: ${message === undefined ? "" : JSON.stringify(message)}\n\n`;

test("a stream that the server closes for polling is resumed from the last event", async () => {
  let callId: unknown;
  const resumed: unknown[] = [];
  const { url } = await listen(
    scriptedServer("legacy", ({ id, method, headers }, response) => {
      if (method === "GET" && headers["last-event-id"] === undefined) return response.writeHead(405).end();
      if (method === "GET") {
        resumed.push(headers["last-event-id"]);
        startEvents(response);
        // The first poll has no news.
        if (resumed.length === 1) return response.end(event("e2"));
        return response.end(event("e3", { jsonrpc: "2.0", id: callId, result: DONE }));
      }
      if (method !== "tools/call") return refuse(response, id);
      callId = id;
      startEvents(response);
      return response.end(event("e1"));
    }),
  );
  expect(await callWork(url)).toBe("done");
  expect(resumed).toEqual(["e1", "e2"]);
});

test("a stream that breaks is resumed, and one that cannot be resumed fails the call", async () => {
  let isResumable = true;
  let callId: unknown;
  const { url } = await listen(
    scriptedServer("legacy", ({ id, method, headers }, response) => {
      if (method === "GET" && headers["last-event-id"] === "e1") {
        if (!isResumable) return response.writeHead(404).end();
        startEvents(response);
        return response.end(event("e2", { jsonrpc: "2.0", id: callId, result: DONE }));
      }
      if (method === "GET") return response.writeHead(405).end();
      if (method !== "tools/call") return refuse(response, id);
      callId = id;
      startEvents(response);
      return response.write(event("e1"), () => response.destroy());
    }),
  );
  expect(await callWork(url)).toBe("done");
  isResumable = false;
  await expect(callWork(url)).rejects.toMatchObject({ code: "mcp_failed" });
});

test("a stream that ends without an event id and without the response fails the call at once", async () => {
  for (const era of ["legacy", "modern"] as const) {
    const { url } = await listen(
      scriptedServer(era, ({ id, method }, response) => {
        if (method === "GET") return response.writeHead(405).end();
        if (method !== "tools/call") return refuse(response, id, -32_601, 404);
        startEvents(response);
        return response.end(": nothing\n\n");
      }),
    );
    await expect(callWork(url)).rejects.toMatchObject({ code: "mcp_failed" });
  }
});

test("a call ends with its time limit, however often the server has the stream resumed", async () => {
  const { url } = await listen(
    scriptedServer("legacy", ({ id, method }, response) => {
      if (method !== "GET" && method !== "tools/call") return refuse(response, id);
      startEvents(response);
      return response.end(event("e1"));
    }),
  );
  await expect(callWork(url, { timeoutMs: 300 })).rejects.toMatchObject({
    code: "request_timeout",
    message: expect.stringContaining("did not respond within 300 ms"),
  });
});

test("a server without handshake gets its version, method and tool in headers and no session", async () => {
  const calls: RpcCall[] = [];
  const { url } = await listen(
    scriptedServer("modern", (call, response) => {
      calls.push(call);
      return answer(response, call.id, COMPLETE);
    }),
  );
  expect(await callWork(url)).toBe("done");
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    method: "tools/call",
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "work",
    },
    params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
  });
  expect(calls[0]?.headers).not.toHaveProperty("mcp-session-id");
});

test("the question about the version is asked once for a server that needs the handshake", async () => {
  const methods: string[] = [];
  const { url } = await listen(async (request, response) => {
    await scriptedServer("legacy", ({ id, method }, reply) => {
      if (method === "GET") return reply.writeHead(405).end();
      methods.push(method);
      return method === "tools/call" ? answer(reply, id, DONE) : refuse(reply, id);
    })(request, response);
  });
  const clients = clientsWith();
  await callWork(url, {}, clients);
  await callWork(url, {}, clients);
  expect(methods).toEqual(["server/discover", "tools/call", "tools/call"]);
});

test("a task that the server returns in place of a result is polled until it ends", async () => {
  const polls: RpcCall[] = [];
  let last: object = { status: "completed", result: DONE };
  const { url } = await listen(
    scriptedServer("modern", (call, response) => {
      const task = { taskId: "t1", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 1 };
      if (call.method === "tools/call")
        return answer(response, call.id, { resultType: "task", ...task, status: "working" });
      polls.push(call);
      const state = polls.length % 2 === 1 ? { status: "working" } : last;
      return answer(response, call.id, { resultType: "complete", ...task, ...state });
    }),
  );
  expect(await callWork(url)).toBe("done");
  expect(polls.map(({ method, headers }) => [method, headers["mcp-name"]])).toEqual([
    ["tasks/get", "t1"],
    ["tasks/get", "t1"],
  ]);
  last = { status: "failed", error: { code: -32_603, message: "out of paper" } };
  await expect(callWork(url)).rejects.toMatchObject({
    code: "mcp_tool_failed",
    message: expect.stringContaining("out of paper"),
  });
});

test("a task that asks for input gets the step's answers once", async () => {
  const updates: unknown[] = [];
  let polls = 0;
  const request = (name: string) => ({
    method: "elicitation/create",
    params: { requestedSchema: { type: "object", properties: { [name]: { type: "string" } } } },
  });
  const { url } = await listen(
    scriptedServer("modern", ({ id, method, params }, response) => {
      const task = { taskId: "t1", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 1 };
      if (method === "tools/call")
        return answer(response, id, { resultType: "task", ...task, status: "working" });
      if (method === "tasks/update") {
        updates.push(params["inputResponses"]);
        return answer(response, id, { resultType: "complete" });
      }
      if (method !== "tasks/get") return answer(response, id, { resultType: "complete" });
      polls += 1;
      // The second poll still shows the question that was answered.
      const asking = { status: "input_required", inputRequests: { q1: request("name") } };
      const state = polls <= 2 ? asking : { status: "completed", result: DONE };
      return answer(response, id, { resultType: "complete", ...task, ...state });
    }),
  );
  expect(await callWork(url, { answers: { name: "Ada" } })).toBe("done");
  expect(updates).toEqual([{ q1: { action: "accept", content: { name: "Ada" } } }]);
  polls = 0;
  await expect(callWork(url)).rejects.toMatchObject({
    code: "mcp_tool_failed",
    message: expect.stringContaining("asks for input"),
  });
});

test("a tool of version 2025-11-25 that runs only as a task is called as one", async () => {
  const methods: string[] = [];
  const tool = { name: "work", inputSchema: { type: "object" }, execution: { taskSupport: "required" } };
  const task = { taskId: "t1", createdAt: "", lastUpdatedAt: "", ttl: null, pollInterval: 1 };
  const { url } = await listen(
    scriptedServer(
      "legacy",
      ({ id, method, params }, response) => {
        if (method === "GET") return response.writeHead(405).end();
        methods.push(method);
        if (method === "tools/call" && params["task"] !== undefined)
          return answer(response, id, { task: { ...task, status: "working" } });
        if (method === "tasks/get") return answer(response, id, { ...task, status: "completed" });
        return method === "tasks/result" ? answer(response, id, DONE) : refuse(response, id);
      },
      [tool],
    ),
  );
  expect(await callWork(url)).toBe("done");
  expect(methods).toEqual(["server/discover", "tools/call", "tasks/get", "tasks/result"]);
});

test("a question of the server is answered from the step's answers, and fails the call without them", async () => {
  const responses: unknown[] = [];
  const { url } = await listen(
    scriptedServer("modern", ({ id, params }, response) => {
      if (params["inputResponses"] === undefined)
        return answer(response, id, {
          resultType: "input_required",
          requestState: "s1",
          inputRequests: {
            q1: {
              method: "elicitation/create",
              params: {
                mode: "form",
                message: "Sure?",
                requestedSchema: {
                  type: "object",
                  properties: { sure: { type: "boolean" }, count: { type: "number", default: 2 } },
                },
              },
            },
          },
        });
      responses.push(params["requestState"], params["inputResponses"]);
      return answer(response, id, COMPLETE);
    }),
  );
  expect(await callWork(url, { answers: { sure: true, other: "not asked for" } })).toBe("done");
  expect(responses).toEqual(["s1", { q1: { action: "accept", content: { sure: true, count: 2 } } }]);
  await expect(callWork(url)).rejects.toMatchObject({
    code: "mcp_failed",
    message: expect.stringContaining("asks for input"),
  });
});

test("[S6] a server cannot fill the memory with an endless stream or a list without end", async () => {
  const endless = await listen(
    scriptedServer("modern", (_call, response) => {
      startEvents(response);
      const fill = (): void => {
        while (!response.destroyed && response.write(`: ${"x".repeat(10_000)}\n\n`));
      };
      response.on("drain", fill);
      fill();
    }),
  );
  await expect(callWork(endless.url, { maxBytes: 200_000 })).rejects.toMatchObject({
    code: "response_too_large",
  });
  const list = await listen((request, response) => {
    const next = scriptedServer("modern", ({ id }, reply) => refuse(reply, id));
    const end = response.end.bind(response);
    // Every page of the list names another page.
    response.end = ((body: string) =>
      end(body?.replace('"tools":[', '"nextCursor":"more","tools":['))) as never;
    return next(request, response);
  });
  await expect(callWork(list.url)).rejects.toMatchObject({ code: "mcp_failed" });
  expect(list.requests.length).toBeLessThan(100);
});

test("a call that floods the client with messages ends, whatever they are", async () => {
  const ping = { jsonrpc: "2.0", id: "p", method: "ping" };
  const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };
  for (const line of [JSON.stringify(ping), JSON.stringify(log), "{no JSON"]) {
    const { url } = await listen(
      scriptedServer("legacy", ({ id, method }, response) => {
        if (method !== "tools/call") return refuse(response, id);
        startEvents(response);
        return response.write(`data: ${line}\n\n`.repeat(10_001));
      }),
    );
    await expect(callWork(url, { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: "response_too_large",
      message: expect.stringContaining("messages"),
    });
  }
});

test("a list of tools may have 2 MiB, and the result of a tool more", async () => {
  const text = "x".repeat(3 * 1024 * 1024);
  const result = { resultType: "complete", content: [{ type: "text", text }] };
  const { url } = await listen(scriptedServer("modern", ({ id }, response) => answer(response, id, result)));
  expect(await callWork(url)).toHaveLength(text.length);
  const long = [{ name: "work", description: text, inputSchema: { type: "object" } }];
  const list = await listen(
    scriptedServer("modern", ({ id }, response) => answer(response, id, COMPLETE), long),
  );
  await expect(callWork(list.url)).rejects.toMatchObject({ code: "response_too_large" });
});

test("[S6] a schema that takes forever to check, or cannot be resolved, ends as invalid arguments", async () => {
  const branch = (depth: number): object =>
    depth === 0 ? { type: "string" } : { anyOf: [branch(depth - 1), branch(depth - 1)] };
  for (const inputSchema of [
    { type: "object", allOf: [{ $ref: "#" }] },
    { type: "object", not: { not: branch(16) } },
    { type: "object", $ref: "http://169.254.169.254/schema.json" },
  ]) {
    const { url, requests } = await listen(
      scriptedServer("modern", ({ id }, response) => answer(response, id, COMPLETE), [
        { name: "work", inputSchema },
      ]),
    );
    await expect(callWork(url)).rejects.toMatchObject({ code: "mcp_invalid_arguments" });
    expect(requests).toHaveLength(2);
  }
});
