import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { fetch as undiciFetch } from "undici";
import { answerWith, createEgress, type Egress, type EgressOptions, type ResolvedAddress } from "./egress.ts";

let hits = 0;
const server = createServer((request, response) => {
  hits += 1;
  if (request.url === "/away") response.writeHead(302, { location: "/" }).end();
  else response.end(`host ${request.headers.host}`);
});
let port = 0;
const opened: Egress[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  hits = 0;
});
afterAll(async () => {
  await Promise.all(opened.map((egress) => egress.close()));
  await new Promise((resolve) => server.close(resolve));
});

function open(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowPrivate: false, allow: [], deny: [], ...options });
  opened.push(egress);
  return egress;
}

const loopback: ResolvedAddress = { address: "127.0.0.1", family: 4 };
const denied = { name: "AppError", code: "egress_denied", retryable: false };

// Without the guard every one of these reaches the server above.
test.each([
  "127.0.0.1",
  "127.0.0.1.",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.1",
  "0.0.0.0",
  "0",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "１２７.０.０.１",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
])("[S3] a service that others can reach does not connect to itself as %s", async (host) => {
  await expect(open().fetch(`http://${host}:${port}/`)).rejects.toMatchObject(denied);
  expect(hits).toBe(0);
});

test("on a personal machine it is allowed", async () => {
  const response = await open({ allowPrivate: true }).fetch(`http://2130706433:${port}/`);
  expect(response).toMatchObject({ status: 200, url: `http://127.0.0.1:${port}/` });
});

test("an allowed address is reached, another port of it is not", async () => {
  const egress = open({ allow: [`127.0.0.1:${port}`] });
  expect((await egress.fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  await expect(egress.fetch("http://127.0.0.1:1/")).rejects.toMatchObject(denied);
});

test("a rule with a port applies to the default port of the scheme", async () => {
  const lookup = async () => [];
  const noAddress = { code: "connection_failed" };
  const closed = open({ deny: ["closed.example:443"], lookup });
  await expect(closed.fetch("https://closed.example/")).rejects.toMatchObject(denied);
  await expect(closed.fetch("http://closed.example/")).rejects.toMatchObject(noAddress);
  const plain = open({ deny: ["closed.example:80"], lookup });
  await expect(plain.fetch("http://closed.example/")).rejects.toMatchObject(denied);
  await expect(plain.fetch("https://closed.example/")).rejects.toMatchObject(noAddress);
});

test("a library that opens its own connections gets only checked addresses", async () => {
  const lookup = async () => [loopback];
  expect(await open({ allow: ["127.0.0.1:5432"], lookup }).resolve("db.example", 5432)).toEqual([loopback]);
  await expect(open({ lookup }).resolve("db.example", 5432)).rejects.toMatchObject(denied);
});

test("two names are looked up at once, so that a DNS server which does not answer leaves threads for the disk", async () => {
  const asked: string[] = [];
  const answer: (() => void)[] = [];
  const lookup = (name: string) =>
    new Promise<ResolvedAddress[]>((resolve) => {
      asked.push(name);
      answer.push(() => resolve([loopback]));
    });
  const egress = open({ allowPrivate: true, lookup });
  const calls = ["a", "b", "c"].map((name) => egress.resolve(`${name}.example`, 80));
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(["a.example", "b.example"]);
  answer[0]!();
  await calls[0];
  await expect.poll(() => asked).toEqual(["a.example", "b.example", "c.example"]);
  for (const done of answer) done();
  await Promise.all(calls);
});

test("the lookup of a socket answers with the checked addresses, or with the first", () => {
  const answers: unknown[][] = [];
  const lookup = answerWith([loopback, { address: "::1", family: 6 }]);
  for (const all of [true, false]) lookup("rebinding.example", { all }, (...answer) => answers.push(answer));
  expect(answers).toEqual([
    [null, [loopback, { address: "::1", family: 6 }]],
    [null, "127.0.0.1", 4],
  ]);
});

test("every address that a name has is checked", async () => {
  const lookup = async () => [{ address: "93.184.215.14", family: 4 }, loopback];
  await expect(open({ lookup }).fetch(`http://mixed.example:${port}/`)).rejects.toMatchObject(denied);
  expect(hits).toBe(0);
});

test("[S5] the connection goes to the checked address: the name is resolved once", async () => {
  const asked: string[] = [];
  const lookup = async (name: string) => {
    asked.push(name);
    // A second lookup returns another address, as a rebinding DNS server does.
    return asked.length === 1 ? [loopback] : [{ address: "10.255.255.1", family: 4 }];
  };
  const egress = open({ allow: ["127.0.0.1"], lookup });
  const response = await egress.fetch(`http://rebinding.example:${port}/`);
  expect(response.body.toString()).toBe(`host rebinding.example:${port}`);
  expect(asked).toEqual(["rebinding.example"]);
});

test("a name with a blocked address is not resolved again", async () => {
  let asked = 0;
  const lookup = async () => (++asked === 1 ? [{ address: "10.0.0.1", family: 4 }] : [loopback]);
  const egress = open({ allow: ["127.0.0.1"], lookup });
  await expect(egress.fetch(`http://rebinding.example:${port}/`)).rejects.toMatchObject(denied);
  expect(asked).toBe(1);
});

test("a metadata name is denied before it is resolved", async () => {
  let asked = 0;
  const lookup = async () => {
    asked += 1;
    return [loopback];
  };
  const egress = open({ allowPrivate: true, lookup });
  for (const host of [
    "metadata.google.internal",
    "METADATA.google.internal.",
    "169.254.169.254",
    "0xa9fea9fe",
  ])
    await expect(egress.fetch(`http://${host}:${port}/`), host).rejects.toMatchObject(denied);
  expect(asked).toBe(0);
});

test("a name without any address is a failed connection", async () => {
  await expect(open({ lookup: async () => [] }).fetch("http://nowhere.example/")).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("ENOTFOUND"),
  });
});

test("[S33] proxy variables of the environment are ignored", async () => {
  for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const egress = open({ allowPrivate: true });
  expect((await egress.fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect((await egress.webFetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

test("the fetch for libraries throws the same error and follows no redirect", async () => {
  await expect(open().webFetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(denied);
  const egress = open({ allowPrivate: true });
  expect(await (await egress.webFetch(`http://127.0.0.1:${port}/`)).text()).toContain("host");
  hits = 0;
  await expect(egress.webFetch(`http://127.0.0.1:${port}/away`)).rejects.toThrow("fetch failed");
  expect(hits).toBe(1);
});

test("the dispatcher checks addresses for a library that brings its own fetch", async () => {
  const dispatcher = await open().dispatcher();
  await expect(undiciFetch(`http://127.0.0.1:${port}/`, { dispatcher })).rejects.toMatchObject({
    cause: denied,
  });
  expect(hits).toBe(0);
});

test("after close() nothing is sent", async () => {
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  await egress.close();
  await expect(egress.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ name: "AppError" });
  expect(hits).toBe(0);
});

test("[S5] a TLS connection goes to the checked address with the requested server name", async () => {
  const greetings: string[] = [];
  // The server name is plain text in the ClientHello, so the test needs no certificate.
  const listener = createTcpServer((socket) => {
    socket.once("data", (hello) => {
      greetings.push(hello.toString("latin1"));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void listener.close());
  let asked = 0;
  const lookup = async () => (++asked === 1 ? [loopback] : [{ address: "10.255.255.1", family: 4 }]);
  const egress = open({ allow: ["127.0.0.1"], lookup });
  const url = `https://rebinding.example:${(listener.address() as AddressInfo).port}/`;
  await expect(egress.fetch(url)).rejects.toMatchObject({ code: "connection_failed" });
  expect(greetings).toEqual([expect.stringContaining("rebinding.example")]);
  expect(asked).toBe(1);
});
