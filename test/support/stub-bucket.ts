import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { signatureProblem } from "./aws-signature.ts";

/** A failure of the next request. */
export type BucketFault =
  | { status: number; code: string }
  /** The connection closes before the request is processed. */
  | "cut"
  /** The request is processed, and the connection closes before the response. */
  | "cut-after"
  /** The response body is cut in half. */
  | "cut-body"
  /** No response is sent. */
  | "hang";

interface StoredObject {
  bytes: Buffer;
  etag: string;
  sha256: string | undefined;
}

export interface StubBucket {
  /** The environment variables for this bucket. */
  settings: Record<
    "S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
    string
  >;
  objects: Map<string, StoredObject>;
  /** Method and key of every correctly signed request. */
  requests: string[];
  /** Error codes of the rejected requests. */
  rejections: string[];
  failNext(...faults: BucketFault[]): void;
  close(): Promise<void>;
}

const KEYS = { region: "eu-test-1", accessKeyId: "AKIDTEST", secretAccessKey: "secret/of+the=bucket" };
const BUCKET = "baton-files";

/** An S3-compatible in-memory server that verifies every signature and body hash. */
export async function startStubBucket({ pageSize = 1000 } = {}): Promise<StubBucket> {
  const objects: StubBucket["objects"] = new Map();
  const faults: BucketFault[] = [];
  const requests: string[] = [];
  const rejections: string[] = [];

  const server = createServer((request, response) => {
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = faults.shift();
    if (fault === "hang") return;
    if (fault === "cut") return void request.socket.destroy();
    if (typeof fault === "object") return sendError(response, fault.status, fault.code);
    const problem = signatureProblem(request, body, KEYS);
    if (problem !== undefined) {
      rejections.push(problem);
      return sendError(response, 403, problem);
    }
    const url = new URL(request.url ?? "", "http://bucket");
    const [bucket, ...names] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const key = names.join("/");
    requests.push(`${request.method} ${key}`);
    if (bucket !== BUCKET) return sendError(response, 404, "NoSuchBucket");
    if (fault === "cut-after") {
      applyRequest(request, key, body, objects);
      return void request.socket.destroy();
    }
    if (request.method === "GET" && key === "") return respond(response, 200, listing(url.searchParams));
    const applied = applyRequest(request, key, body, objects);
    const { status, code, object } = inRange(request, applied);
    if (code !== undefined) return sendError(response, status, request.method === "HEAD" ? "" : code);
    const headers = object && {
      etag: object.etag,
      "content-length": String(object.bytes.length),
      ...(object.sha256 !== undefined && { "x-amz-meta-sha256": object.sha256 }),
    };
    response.writeHead(status, headers);
    if (request.method !== "GET" || object === undefined) return void response.end();
    if (fault !== "cut-body") return void response.end(object.bytes);
    response.write(object.bytes.subarray(0, object.bytes.length / 2), () => request.socket.destroy());
  }

  function listing(query: URLSearchParams): string {
    const prefix = query.get("prefix") ?? "";
    const delimiter = query.get("delimiter");
    const limit = Math.min(pageSize, Number(query.get("max-keys") ?? 1000));
    const after = query.get("continuation-token") ?? "";
    const entries = new Set<string>();
    for (const key of objects.keys()) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      entries.add(end === -1 ? key : key.slice(0, end + 1));
    }
    const left = [...entries].sort(byBytes).filter((entry) => after === "" || byBytes(entry, after) > 0);
    const page = left.slice(0, limit);
    const isFolder = (entry: string): boolean =>
      delimiter !== null && entry !== prefix && entry.endsWith("/");
    const encode = (key: string): string =>
      key.split("/").map(encodeURIComponent).join("/").replaceAll("%20", "+");
    return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><EncodingType>url</EncodingType>
<IsTruncated>${left.length > page.length}</IsTruncated>${
      left.length > page.length
        ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? "")}</NextContinuationToken>`
        : ""
    }${page
      .map((entry) =>
        isFolder(entry)
          ? `<CommonPrefixes><Prefix>${encode(entry)}</Prefix></CommonPrefixes>`
          : `<Contents><Key>${encode(entry)}</Key><Size>${objects.get(entry)?.bytes.length}</Size></Contents>`,
      )
      .join("")}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_REGION: KEYS.region,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    objects,
    requests,
    rejections,
    failNext: (...next) => void faults.push(...next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function applyRequest(
  { method, headers }: IncomingMessage,
  key: string,
  body: Buffer,
  objects: Map<string, StoredObject>,
): { status: number; code?: string; object?: StoredObject } {
  const object = objects.get(key);
  if (method === "DELETE") {
    objects.delete(key);
    return { status: 204 };
  }
  if (method === "PUT") {
    const ifMatch = headers["if-match"];
    if (headers["if-none-match"] === "*" && object) return { status: 412, code: "PreconditionFailed" };
    if (ifMatch !== undefined && ifMatch !== object?.etag) return { status: 412, code: "PreconditionFailed" };
    const sha256 = headers["x-amz-meta-sha256"] as string | undefined;
    const etag = `"${createHash("md5").update(body).digest("hex")}-${objects.size}"`;
    objects.set(key, { bytes: body, etag, sha256 });
    return { status: 200 };
  }
  return object === undefined ? { status: 404, code: "NoSuchKey" } : { status: 200, object };
}

/** A part of an object, as S3 returns it: past the end is an error, and a range that begins before it ends there. */
function inRange(
  { method, headers }: IncomingMessage,
  applied: ReturnType<typeof applyRequest>,
): typeof applied {
  const { object } = applied;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || object === undefined || start === undefined) return applied;
  if (Number(start) >= object.bytes.length) return { status: 416, code: "InvalidRange" };
  return { status: 206, object: { ...object, bytes: object.bytes.subarray(Number(start), Number(end) + 1) } };
}

function sendError(response: ServerResponse, status: number, code: string): void {
  respond(
    response,
    status,
    code === "" ? "" : `<Error><Code>${code}</Code><Message>rejected</Message></Error>`,
  );
}

function respond(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(xml);
}

/** S3 sorts keys by bytes, JavaScript by UTF-16. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
