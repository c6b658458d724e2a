import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createEgress } from "./egress.ts";
import { followRedirect } from "./redirects.ts";

interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

const servers: Server[] = [];
let seen: Seen[] = [];
let first = "";
let second = "";

/** `/to?status=302&location=…` redirects, `/hops?left=3` redirects three times, any other path responds "end". */
async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method, path: request.url, headers: request.headers, body });
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const left = Number(searchParams.get("left"));
    if (pathname === "/to")
      response
        .writeHead(Number(searchParams.get("status")), { location: searchParams.get("location") ?? "" })
        .end("moved");
    else if (pathname === "/hops" && left > 0)
      response.writeHead(302, { location: `/hops?left=${left - 1}` }).end();
    else if (pathname === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else response.end("end");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });

beforeAll(async () => {
  first = await listen();
  second = await listen();
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await egress.close();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

const redirect = (status: number, location: string) =>
  `${first}/to?status=${status}&location=${encodeURIComponent(location)}`;
const lastSeen = () => seen.at(-1);

test.each([
  [301, "GET", "GET", ""],
  [302, "GET", "GET", ""],
  [303, "GET", "GET", ""],
  [307, "GET", "GET", ""],
  [308, "GET", "GET", ""],
  [301, "POST", "GET", ""],
  [302, "POST", "GET", ""],
  [303, "POST", "GET", ""],
  [307, "POST", "POST", "words"],
  [308, "POST", "POST", "words"],
  [301, "PUT", "PUT", "words"],
  [302, "DELETE", "DELETE", "words"],
  [303, "PUT", "GET", ""],
  [303, "HEAD", "HEAD", ""],
])("%i turns %s into %s", async (status, method, methodAfter, bodyAfter) => {
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await egress.fetch(redirect(status, "/end"), {
    method,
    headers: { authorization: "Bearer s3cret", "content-type": "text/plain" },
    ...(hasBody && { body: "words" }),
  });
  expect(response).toMatchObject({ status: 200, url: `${first}/end` });
  expect(lastSeen()).toMatchObject({
    method: methodAfter,
    path: "/end",
    body: bodyAfter,
    headers: { authorization: "Bearer s3cret" },
  });
  expect(lastSeen()?.headers["content-type"]).toBe(
    hasBody && methodAfter === "GET" ? undefined : "text/plain",
  );
});

test.each([301, 302, 303, 307, 308])("[S4] %i to another origin sends no secret header", async (status) => {
  await egress.fetch(redirect(status, `${second}/end`), {
    headers: {
      Authorization: "Bearer s3cret",
      Cookie: "session=s3cret",
      "Proxy-Authorization": "Basic s3cret",
      "X-Api-Key": "s3cret",
      "Private-Token": "s3cret",
      Accept: "application/json",
    },
  });
  expect(lastSeen()?.headers).toMatchObject({ accept: "application/json" });
  expect(JSON.stringify(lastSeen())).not.toContain("s3cret");
});

test("a header that was dropped is not sent again after a redirect back", async () => {
  const home = `${first}/end`;
  const away = `${second}/to?status=302&location=${encodeURIComponent(home)}`;
  await egress.fetch(redirect(302, away), { headers: { authorization: "Bearer s3cret" } });
  expect(seen).toHaveLength(3);
  expect(lastSeen()?.headers).not.toHaveProperty("authorization");
});

test.each([
  ["http on the same host", "https://api.example/a", "http://api.example/b"],
  ["another port", "https://api.example/a", "https://api.example:8443/b"],
  ["a subdomain", "https://api.example/a", "https://x.api.example/b"],
])("%s is another origin", (_name, from, to) => {
  const headers = { authorization: "Bearer s3cret" };
  const before = { url: new URL(from), method: "GET", headers, body: undefined };
  expect(followRedirect(before, 302, new URL(to)).headers).toEqual({});
});

test.each([301, 302, 303, 307, 308])("[S4] %i to a blocked address is denied", async (status) => {
  const { port } = new URL(first);
  const guarded = createEgress({ allowPrivate: false, allow: [`127.0.0.1:${port}`], deny: [] });
  const closed = [
    "http://169.254.169.254/",
    "http://[::ffff:a00:1]/",
    "http://2130706433:1/",
    `${second}/end`,
  ];
  for (const target of closed)
    await expect(guarded.fetch(redirect(status, target)), target).rejects.toMatchObject({
      code: "egress_denied",
    });
  expect(seen.filter(({ path }) => path === "/end")).toEqual([]);
  expect((await guarded.fetch(redirect(status, "/end"))).status).toBe(200);
  await guarded.close();
});

test.each(["file:///etc/passwd", "gopher://127.0.0.1/", "http://user:pw@127.0.0.1/", "http://["])(
  "a redirect to %s is rejected",
  async (target) => {
    await expect(egress.fetch(redirect(302, target))).rejects.toMatchObject({
      code: "invalid_url",
      message: expect.stringContaining(`The Location header in the redirect of ${new URL(first).host} `),
    });
  },
);

test("[S4] ten redirects are followed, the eleventh is too_many_redirects", async () => {
  expect((await egress.fetch(`${first}/hops?left=10`)).url).toBe(`${first}/hops?left=0`);
  await expect(egress.fetch(`${first}/hops?left=11`)).rejects.toMatchObject({ code: "too_many_redirects" });
  seen = [];
  await expect(egress.fetch(`${first}/loop`)).rejects.toMatchObject({ code: "too_many_redirects" });
  expect(seen).toHaveLength(11);
});

test("the caller's own limit counts, and with 0 the redirect itself is the response", async () => {
  await expect(egress.fetch(`${first}/hops?left=2`, { maxRedirects: 1 })).rejects.toMatchObject({
    code: "too_many_redirects",
  });
  const response = await egress.fetch(redirect(302, `${second}/end`), { maxRedirects: 0 });
  expect(response).toMatchObject({ status: 302, headers: { location: `${second}/end` } });
});

test("a redirect without a location is the response", async () => {
  expect(await egress.fetch(redirect(302, ""))).toMatchObject({ status: 302, body: Buffer.from("moved") });
});
