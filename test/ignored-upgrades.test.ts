import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const { app, ada } = await shareApp(["ada"]);
const address = await app.listen();
/** What Java's HttpClient and `curl --http2` send with each request. */
const H2C = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAEAAEAAAAIAAAAB" };
const WEB_SOCKET = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

test("a request that offers h2c gets the response of a plain one, whatever the size of its body", async () => {
  for (const template of ["é", "é".repeat(200_000)]) {
    const metadata = { steps: [{ stepId: "a", type: "transform", template }], edges: [] };
    const { status, headers, body } = await send("/api/workflows", H2C, { name: "Müller", metadata });
    expect([status, body.workflow.metadata]).toEqual([201, metadata]);
    expect(headers["x-request-id"]).toMatch(/^req_/);
  }
  expect(await send("/socket.io/?EIO=4&transport=polling", H2C)).toMatchObject({ status: 200 });
});

test("a connection serves any number of requests that offer h2c", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const warnings: Error[] = [];
  const warn = (warning: Error): number => warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => {
    process.off("warning", warn);
    agent.destroy();
  });
  const ports = new Set<number | undefined>();
  for (let count = 0; count < 30; count++) {
    const { status, port } = await send("/api/workflows", H2C, { name: `Workflow ${count}` }, agent);
    expect(status).toBe(201);
    ports.add(port);
  }
  expect([ports.size, warnings]).toEqual([1, []]);
});

test("pipelined requests that offer h2c are answered in order", async () => {
  const head = Object.entries({ host: "localhost", ...H2C }).map(([name, value]) => `${name}: ${value}\r\n`);
  const get = (path: string, more = ""): string =>
    `GET ${path} HTTP/1.1\r\n${head.join("")}authorization: Bearer ${ada.token}\r\n${more}\r\n`;
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  // The first response is streamed, and larger than what a socket takes at once.
  const write = {
    stepId: "a",
    type: "file",
    action: "write",
    path: "large.txt",
    content: "x".repeat(1_500_000),
  };
  const { body } = await send(
    "/api/workflows",
    {},
    { name: "Large", metadata: { steps: [write], edges: [] } },
  );
  await send(`/api/workflows/${body.workflow.id}/run?wait=true`, {}, {});
  socket.write(
    `${get("/api/files/content?path=large.txt")}${get("/api/auth/me")}${get("/nowhere")}${get("/health", "connection: close\r\n")}`,
  );
  const responses = await text(socket);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [200, 200, 404, 200].map((status) => `HTTP/1.1 ${status}`),
  );
  expect(responses.length).toBeGreaterThan(1_500_000);
});

test("the body of a request that offers h2c is no further request, however many headers precede its length", async () => {
  const body = "GET /further HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
  const head = Object.entries({ host: "localhost", ...H2C, "content-type": "application/json" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.end(
    `POST /api/workflows HTTP/1.1\r\n${head}${"a:\r\n".repeat(1500)}content-length: ${body.length}\r\n\r\n${body}`,
  );
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
});

test("a WebSocket outside /socket.io gets the error of the path", async () => {
  expect(await send("/nowhere", WEB_SOCKET)).toMatchObject({ status: 404, body: { error: "not_found" } });
  expect(await send("/nowhere", { ...WEB_SOCKET, host: "rebinding.example" })).toMatchObject({
    status: 421,
    body: { error: "host_not_allowed" },
  });
});

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: any;
  port: number | undefined;
}

function send(path: string, headers: Record<string, string>, body?: unknown, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${ada.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(agent && { agent }),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const port = response.socket.localPort;
      text(response).then((sentText) => {
        const isJson = String(response.headers["content-type"]).includes("json");
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: isJson ? JSON.parse(sentText) : sentText,
          port,
        });
      }, reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
