import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AppField } from "../../contract/apps.ts";
import type { InputField } from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { createAppClient } from "../../server/apps/app-client.ts";
import { runAction } from "../../server/apps/run-action.ts";
import { withoutCredential } from "../../server/apps/without-credential.ts";
import { connectionFetch } from "../../server/connections/connection-fetch.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import { convertDocument } from "../../server/openapi-apps/convert-document.ts";
import { createResolver, readDocument, type Schema } from "../../server/openapi-apps/read-document.ts";
import { noRunFiles } from "../../server/run-files/testing/open-run-files.ts";
import { createEgress } from "../../server/security/egress.ts";
import { problemsOf, type SentCall } from "./request-problems.ts";

export interface CallReport {
  called: number;
  /** Actions that send or return a file, which only a run has. */
  skipped: number;
  problems: string[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Calls every action of a document over HTTP, all fields filled in, and compares what arrives with the document. */
export async function callEveryAction(text: string): Promise<CallReport> {
  const document = withoutOwnServers(readDocument(text));
  const sent: SentCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      sent.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  const report: CallReport = { called: 0, skipped: 0, problems: [] };
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { app, refused } = convertDocument(document, { id: "api_test", server: origin });
    if (refused.length > 0)
      throw new Error("Operations and actions are compared in order: none may be refused.");
    const client = createAppClient({
      fetch: (use, url, init) => connectionFetch(egress, use, url, init),
      limits: limitsOf(),
      runFiles: noRunFiles,
      clock: systemClock,
    });
    const operations = [...operationsOf(document)];
    const resolve = createResolver(document, Infinity);
    for (const [index, action] of Object.values(app.actions).entries()) {
      const operation = operations[index]!;
      const isUpload = Object.values(action.input).some(
        ({ format, required }) => format === "file" && required,
      );
      if (isUpload || action.request.responseAs === "file") {
        report.skipped += 1;
        continue;
      }
      const name = `${operation.method.toUpperCase()} ${operation.path}`;
      sent.length = 0;
      try {
        await runAction(client, {
          app,
          action,
          use: withoutCredential(app),
          input: inputOf(action.input),
          call: {
            ownerId: "",
            taskId: "",
            idempotencyKey: "key",
            answeredFailures: 0,
            stop: AbortSignal.timeout(10_000),
          },
          timeoutMs: 10_000,
        });
        report.called += 1;
        const problems =
          sent[0] === undefined ? ["nothing arrived"] : problemsOf(operation, sent[0], resolve);
        report.problems.push(...problems.map((problem) => `${name}: ${problem}`));
      } catch (error) {
        report.problems.push(`${name}: ${(error as Error).message}`);
      }
    }
    return report;
  } finally {
    server.closeAllConnections();
    server.close();
    await egress.close();
  }
}

function* operationsOf(document: Schema) {
  for (const [path, item] of Object.entries(document["paths"] as Schema))
    for (const method of METHODS) {
      const operation = isRecord(item) ? item[method] : undefined;
      if (isRecord(operation) && isRecord(item))
        yield { method, path, operation, shared: item["parameters"] };
    }
}

/** Everything is called on the local server. */
function withoutOwnServers(document: Schema): Schema {
  for (const item of Object.values(document["paths"] as Record<string, Schema>)) {
    delete item["servers"];
    for (const method of METHODS) delete (item[method] as Schema | undefined)?.["servers"];
  }
  return document;
}

function inputOf(fields: Readonly<Record<string, AppField>>): JsonValue {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { format }]) => format !== "file")
      .map(([name, field]) => [name, valueOf(field)]),
  );
}

const TEXTS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  time: "12:00",
};

function valueOf(field: Omit<InputField, "required">): JsonValue {
  if (field.enum !== undefined) return field.enum[0] as JsonValue;
  switch (field.type) {
    case "string": {
      const text = TEXTS[field.format ?? ""] ?? "a b/ü";
      return text.padEnd(field.minLength ?? 0, "x").slice(0, field.maxLength);
    }
    case "integer":
      return Math.ceil(Math.max(field.minimum ?? 1, Math.min(1, field.maximum ?? 1)));
    case "number":
      return Math.max(field.minimum ?? 1.5, Math.min(1.5, field.maximum ?? 1.5));
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: Math.max(1, Math.min(field.minItems ?? 1, 5)) }, () =>
        valueOf(field.items ?? { type: "string" }),
      );
    case "object":
      return Object.fromEntries(
        Object.entries(field.properties ?? { any: { type: "string" as const } }).map(([name, property]) => [
          name,
          valueOf(property),
        ]),
      );
  }
}
