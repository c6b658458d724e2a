import { expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createMcpClients, type McpClientsDeps } from "../mcp-client/mcp-clients.ts";
import { listen, mcpHandler } from "../mcp-client/testing/http-servers.ts";
import { createEgress, type EgressOptions } from "../security/egress.ts";
import { createMcpRunner } from "./mcp.ts";
import { sampleCall } from "./testing/sample-call.ts";

const clock = { now: () => 0, monotonic: () => 0 };

function runner(options: Partial<EgressOptions & McpClientsDeps> = {}) {
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [], ...options });
  onTestFinished(() => egress.close());
  const clients = createMcpClients({ egress, clock, minRetryMs: 1, ...options });
  const calls = { call: () => Promise.reject(new Error("no stored server")) };
  return createMcpRunner({ clients, calls });
}

test("a tool's structured content is the output, and JSON text is parsed", async () => {
  const { url } = await listen(mcpHandler);
  const call = async (tool: string, args?: Record<string, string>) =>
    (await runner().run(sampleCall({ url, tool, arguments: args ?? {} }))).output;
  expect(await call("forecast", { city: "Oslo" })).toEqual({ city: "Oslo", degrees: 21 });
  expect(await call("as-json-text")).toEqual({ a: [1, 2] });
  expect(await call("as-text")).toBe("12 degrees");
  expect(await call("picture")).toMatchObject([{ text: "a cloud" }, { type: "image", data: "AAAA" }]);
});

test("arguments are checked against the tool's schema before it is called", async () => {
  const { url } = await listen(mcpHandler);
  const wrong = runner().run(sampleCall({ url, tool: "forecast", arguments: { city: "O", days: 9 } }));
  await expect(wrong).rejects.toMatchObject({
    code: "mcp_invalid_arguments",
    message: expect.stringMatching(/“city” .*2 characters; “days” .*at most 7/),
    permanent: true,
  });
});

test("an optional argument without a value is left out", async () => {
  const { url } = await listen(mcpHandler);
  const call = (args: Record<string, JsonValue>) =>
    runner().run(sampleCall({ url, tool: "forecast", arguments: args }));
  expect((await call({ city: "Oslo", days: null })).output).toMatchObject({ city: "Oslo" });
  await expect(call({ city: null })).rejects.toMatchObject({ code: "mcp_invalid_arguments" });
});

test("an unknown tool, a failing tool and a server without MCP have their own errors", async () => {
  const { url } = await listen(mcpHandler);
  await expect(runner().run(sampleCall({ url, tool: "tides" }))).rejects.toMatchObject({
    code: "mcp_tool_not_found",
    message: expect.stringContaining("forecast"),
  });
  await expect(runner().run(sampleCall({ url, tool: "broken" }))).rejects.toMatchObject({
    code: "mcp_tool_failed",
    message: expect.stringContaining("the satellite is down"),
  });
  const page = await listen((_request, response) => response.end("<h1>Hello</h1>"));
  await expect(runner().run(sampleCall({ url: page.url, tool: "x" }))).rejects.toMatchObject({
    code: "mcp_failed",
  });
});

test("a response that is too large or ends early ends the step", async () => {
  const { url } = await listen(mcpHandler);
  await expect(runner({ maxBytes: 20_000 }).run(sampleCall({ url, tool: "long" }))).rejects.toMatchObject({
    code: "response_too_large",
  });
  const cut = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: message\n", () => response.destroy());
  });
  await expect(runner().run(sampleCall({ url: cut.url, tool: "x" }))).rejects.toMatchObject({
    code: "mcp_failed",
  });
});

test("cancelling ends a call without a response", async () => {
  const cancel = new AbortController();
  const { url } = await listen(() => cancel.abort(new Error("cancelled")));
  const running = runner().run(sampleCall({ url, tool: "x" }, { signal: cancel.signal }));
  await expect(running).rejects.toThrow("cancelled");
});

test("[S6] calls to MCP servers pass the egress guard and follow no redirect", async () => {
  const inside = await listen(mcpHandler);
  const guarded = runner({ allowPrivate: false });
  await expect(guarded.run(sampleCall({ url: inside.url, tool: "as-text" }))).rejects.toMatchObject({
    code: "egress_denied",
  });
  const outside = await listen((_request, response) =>
    response.writeHead(307, { location: inside.url }).end(),
  );
  await expect(runner().run(sampleCall({ url: outside.url, tool: "as-text" }))).rejects.toMatchObject({
    code: "mcp_failed",
  });
  expect(inside.requests).toEqual([]);
});

test("[S12] a command, a file or any other scheme is rejected as an MCP server", async () => {
  for (const url of ["stdio:ls", "file:///bin/ls", "npx -y some-server", "ws://127.0.0.1/mcp", "data:,x"])
    await expect(
      runner().run(sampleCall({ url, tool: "x", command: "touch", args: ["/tmp/x"] })),
    ).rejects.toMatchObject({
      code: "invalid_field",
    });
});

test("the step's headers are sent with every request, so that a server can require a token", async () => {
  const { url } = await listen((request, response) =>
    request.headers.authorization === "Bearer token-1"
      ? mcpHandler(request, response)
      : response.writeHead(401).end(),
  );
  const fields = { url, tool: "as-text", headers: { Authorization: "Bearer token-1" } };
  expect((await runner().run(sampleCall(fields))).output).toBe("12 degrees");
  await expect(runner().run(sampleCall({ ...fields, headers: {} }))).rejects.toMatchObject({
    code: "mcp_failed",
  });
});

test("a resource is read as its text or JSON, and a prompt as its messages", async () => {
  const { url } = await listen(mcpHandler);
  const resource = { url, operation: "resource", uri: "weather://stations" };
  expect((await runner().run(sampleCall(resource))).output).toEqual(["Oslo"]);
  const prompt = { url, operation: "prompt", prompt: "packing", arguments: { city: "Oslo" } };
  expect((await runner().run(sampleCall(prompt))).output).toMatchObject({
    messages: [{ role: "user", content: { type: "text", text: "What do I pack for Oslo?" } }],
  });
  await expect(runner().run(sampleCall({ ...resource, uri: "weather://nowhere" }))).rejects.toMatchObject({
    code: "mcp_failed",
  });
});
