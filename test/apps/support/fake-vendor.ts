import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { App } from "../../../apps/define-app.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createAppClient } from "../../../server/apps/app-client.ts";
import type { AppConnection, ConnectionFetch } from "../../../server/apps/connection.ts";
import { fillText } from "../../../server/apps/template.ts";
import { systemClock } from "../../../server/lib/clock.ts";
import { AppError } from "../../../server/lib/errors.ts";
import { limitsOf } from "../../../server/limits/testing/limits-of.ts";
import type { RunFiles } from "../../../server/run-files/run-files.ts";
import { createEgress } from "../../../server/security/egress.ts";
import type { AppExamples, VendorAnswer } from "./app-examples.ts";

/** A request that arrived, by the address that the app meant. */
export interface ReceivedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  text: string;
  /** JSON or form fields; undefined for anything else. */
  body: JsonValue | undefined;
}

const SAVED = { file: "file_1", name: "file", contentType: "text/plain", size: 4 };

/** A server on loopback that plays the vendor of an app: it gives the answers that a test queues. */
export async function openFakeVendor() {
  const received: ReceivedRequest[] = [];
  let queued: VendorAnswer[] = [];
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString("utf8");
    const headers = request.headers as Record<string, string>;
    const type = headers["content-type"] ?? "";
    received.push({
      method: request.method ?? "",
      url: new URL(request.url ?? "", headers["x-meant-origin"]),
      headers,
      text,
      body: type.startsWith("application/json")
        ? (JSON.parse(text) as JsonValue)
        : type.startsWith("application/x-www-form-urlencoded")
          ? Object.fromEntries(new URLSearchParams(text))
          : undefined,
    });
    const { status = 200, headers: extra, body } = queued.shift() ?? { status: 599 };
    response.writeHead(status, { "content-type": "application/json", ...extra });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });

  /** The real client, except for the address that it connects to. */
  const fetch: ConnectionFetch = async (use, url, init) => {
    const token = use as TestConnection;
    const send = async () => {
      const request = { url: new URL(url), headers: { ...init.headers } };
      token.authorize(request);
      const target = new URL(request.url.pathname + request.url.search, `http://127.0.0.1:${port}`);
      const answer = await egress.fetch(target, {
        ...init,
        headers: { ...request.headers, "x-meant-origin": request.url.origin },
      });
      return { ...answer, url: url.href };
    };
    const first = await send();
    if (first.status !== 401 || !(await use.renew())) return first;
    return send();
  };

  const client = createAppClient({
    fetch,
    limits: limitsOf(),
    clock: systemClock,
    runFiles: {
      create: async (_owner: unknown, _description: unknown, body: NodeJS.ReadableStream) => {
        await buffer(body);
        return SAVED;
      },
      find: () => Promise.resolve(SAVED),
      open: async () => ({ stream: (await import("node:stream")).Readable.from(["text"]) }),
    } as unknown as RunFiles,
  });

  return {
    client,
    received,
    /** Forgets what arrived, and gives these answers from now on. */
    answers(...answers: VendorAnswer[]) {
      received.length = 0;
      queued = answers;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await egress.close();
    },
  };
}

interface TestConnection extends AppConnection {
  authorize(request: { url: URL; headers: Record<string, string> }): void;
}

export const TOKENS = ["first-token-value", "second-token-value"] as const;

/** A connection of the app's first kind. Its first token can be renewed once. */
export function connectionOf({ app, fields = {}, username = "ada" }: AppExamples): TestConnection {
  let renewals = 0;
  const hosts = app.hosts.map((host) => fillText(host, { connection: { ...fields, username } }));
  return {
    id: "conn_1",
    app: app.id,
    fields,
    settings: { username },
    secrets: () => [...TOKENS],
    renew: () => Promise.resolve(++renewals === 1),
    refused: (target) => new AppError("connection_failed", `${target} refused the credential.`),
    authorize(request) {
      const { host } = request.url;
      if (!hosts.some((one) => one === host || (one.startsWith("*.") && host.endsWith(one.slice(1)))))
        throw new Error(`${host} is not one of the app's hosts: ${hosts.join(", ")}`);
      addCredential(app, request, TOKENS[Math.min(renewals, 1)]!, username);
    },
  };
}

function addCredential(
  app: App,
  request: { url: URL; headers: Record<string, string> },
  token: string,
  username: string,
): void {
  const auth = app.auth[0];
  switch (auth?.kind) {
    case "basic":
      request.headers["authorization"] = `Basic ${Buffer.from(`${username}:${token}`).toString("base64")}`;
      break;
    case "api_key": {
      const value = `${auth.prefix ?? ""}${token}`;
      if (auth.in === "query") request.url.searchParams.set(auth.name, value);
      else if (auth.in === "path") request.url.pathname = request.url.pathname.replace(auth.name, value);
      else request.headers[auth.name.toLowerCase()] = value;
      break;
    }
    default:
      request.headers["authorization"] = `Bearer ${token}`;
  }
}

export const testCall = {
  ownerId: "user_1",
  taskId: "task_1",
  idempotencyKey: "task_1:step",
  answeredFailures: 0,
  signal: new AbortController().signal,
};
