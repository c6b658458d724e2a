import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createAppClient } from "../../../server/apps/app-client.ts";
import { connectionFetch } from "../../../server/connections/connection-fetch.ts";
import {
  type ConnectionUse,
  createConnectionUse,
  type Credential,
} from "../../../server/connections/connection-use.ts";
import type { ConnectionRecord } from "../../../server/connections/connection.sql.ts";
import { staticCredential } from "../../../server/connections/credentials.ts";
import { renderHosts } from "../../../server/connections/host-binding.ts";
import { systemClock } from "../../../server/lib/clock.ts";
import { limitsOf } from "../../../server/limits/testing/limits-of.ts";
import type { RunFiles } from "../../../server/run-files/run-files.ts";
import { createEgress, type Egress } from "../../../server/security/egress.ts";
import type { AppExamples, VendorAnswer } from "./app-examples.ts";

/** A request that arrived, by the address that the app meant. */
export interface ReceivedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  text: string;
  /** JSON, or the fields of a form; undefined for anything else. */
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
          : type.startsWith("multipart/form-data")
            ? multipartFields(text)
            : type.startsWith("multipart/related")
              ? relatedMetadata(text)
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
  const rerouted: Pick<Egress, "fetch"> = {
    async fetch(url, init = {}) {
      const request = { url: new URL(url), headers: { ...init.headers } };
      await init.authorize?.(request);
      const { pathname, search, origin } = request.url;
      const { authorize: _authorize, ...rest } = init;
      const answer = await egress.fetch(new URL(pathname + search, `http://127.0.0.1:${port}`), {
        ...rest,
        headers: { ...request.headers, "x-meant-origin": origin },
      });
      return { ...answer, url: String(url) };
    },
  };

  const client = createAppClient({
    fetch: (use, url, init) => connectionFetch(rerouted, use, url, init),
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

/** Files and texts by their name. */
function multipartFields(text: string): Record<string, string> {
  const parts = text.matchAll(/; name="([^"]+)"[^]*?\r\n\r\n([^]*?)\r\n--/g);
  return Object.fromEntries(Array.from(parts, ([, name = "", value = ""]) => [name, value]));
}

/** The JSON of the first part; a file follows it. */
function relatedMetadata(text: string): JsonValue {
  const [, metadata = ""] =
    /^--\S+\r\ncontent-type: application\/json; charset=utf-8\r\n\r\n([^]*?)\r\n--\S+\r\ncontent-type: \S+\r\n\r\n/.exec(
      text,
    ) ?? [];
  return JSON.parse(metadata) as JsonValue;
}

export const TOKENS = ["first-token-value", "second-token-value"] as const;

/** A connection of the app's first kind, with a token for the one of OAuth. Its first token can be renewed once. */
export function connectionOf({ app, fields = {}, username = "ada" }: AppExamples): ConnectionUse {
  const auth = app.auth[0];
  const record = {
    id: "conn_1",
    ownerId: "user_1",
    kind: auth === undefined || auth.kind === "oauth2" ? "bearer" : auth.kind,
    name: app.title,
    app: app.id,
    hosts: renderHosts(app.hosts, fields),
    fields,
    settings: auth?.kind === "api_key" ? { ...auth } : { username },
  } as unknown as ConnectionRecord;
  const tokens = TOKENS.map((token) => staticCredential(record, { token, key: token, password: token }));
  let renewals = 0;
  const credential: Credential = {
    secretValues: {},
    secrets: () => [...TOKENS],
    authorize: (request) => tokens[Math.min(renewals, 1)]!.authorize(request),
    renew: () => Promise.resolve(++renewals === 1),
  };
  const nothing = () => Promise.resolve();
  return createConnectionUse(record, credential, { failed: nothing, succeeded: nothing });
}

export const testCall = {
  ownerId: "user_1",
  taskId: "task_1",
  idempotencyKey: "task_1:step",
  answeredFailures: 0,
  stop: new AbortController().signal,
};
