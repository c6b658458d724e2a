import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import * as z from "zod";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server on a free port, closed when the test ends. */
export async function listen(handler: Handler): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}

export function weatherServer(): McpServer {
  const server = new McpServer({ name: "weather", version: "1" });
  server.registerTool(
    "forecast",
    {
      description: "The weather of the next days",
      inputSchema: z.object({ city: z.string().min(2), days: z.number().int().max(7).optional() }),
      outputSchema: z.object({ city: z.string(), degrees: z.number() }),
    },
    ({ city }) => ({ content: [], structuredContent: { city, degrees: 21 } }),
  );
  server.registerTool("as-json-text", {}, () => ({ content: [{ type: "text", text: '{"a": [1, 2]}' }] }));
  server.registerTool("as-text", {}, () => ({ content: [{ type: "text", text: "12 degrees" }] }));
  server.registerTool("picture", {}, () => ({
    content: [
      { type: "text", text: "a cloud" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
  }));
  server.registerTool("broken", {}, () => ({
    isError: true,
    content: [{ type: "text", text: "the satellite is down" }],
  }));
  server.registerTool("long", {}, () => ({ content: [{ type: "text", text: "x".repeat(100_000) }] }));
  server.registerResource("stations", "weather://stations", { mimeType: "application/json" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "application/json", text: '["Oslo"]' }],
  }));
  server.registerPrompt(
    "packing",
    { description: "What to pack", argsSchema: z.object({ city: z.string() }) },
    ({ city }) => ({
      messages: [{ role: "user", content: { type: "text", text: `What do I pack for ${city}?` } }],
    }),
  );
  return server;
}

/** A real MCP server: version 2026-07-28, and the ones with a handshake. */
export const mcpHandler: Handler = async (request, response) => {
  const handler = createMcpHandler(weatherServer);
  const { method = "GET", headers, url = "/" } = request;
  const answer = await handler.fetch(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method === "POST" ? { body: await text(request) } : {}),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
};

export interface RpcCall {
  id?: number | string;
  method: string;
  params: Record<string, unknown>;
  headers: IncomingMessage["headers"];
}

const TOOL = { name: "work", inputSchema: { type: "object" } };

/**
 * A server whose `tools/call` and other methods a test scripts, of either generation. The handler gets every message that
 * is not part of connecting and listing.
 */
export function scriptedServer(
  era: "legacy" | "modern",
  onCall: (call: RpcCall, response: ServerResponse, request: IncomingMessage) => unknown,
  tools: object[] = [TOOL],
): Handler {
  return async (request, response) => {
    if (request.method !== "POST")
      return onCall(
        { method: request.method ?? "", params: {}, headers: request.headers },
        response,
        request,
      );
    const message = JSON.parse(await text(request)) as RpcCall;
    const call = { ...message, headers: request.headers };
    const standard = connecting(era, tools)[message.method];
    if (standard !== undefined) return answer(response, message.id, standard);
    if (message.id === undefined) return response.writeHead(202).end();
    return onCall(call, response, request);
  };
}

function connecting(era: "legacy" | "modern", tools: object[]): Record<string, object> {
  const capabilities = { tools: {} };
  const list = { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" };
  if (era === "legacy")
    return {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities,
        serverInfo: { name: "scripted", version: "1" },
      },
      "tools/list": list,
    };
  return {
    "server/discover": {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { ...capabilities, extensions: { "io.modelcontextprotocol/tasks": {} } },
      ttlMs: 0,
      cacheScope: "private",
    },
    "tools/list": list,
  };
}

export function answer(response: ServerResponse, id: unknown, result: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

export function refuse(response: ServerResponse, id: unknown, code = -32_601, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "no such method" } }));
}

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}
