import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import type { LocalFile } from "../../../lib/file-store.ts";
import { BucketErrorResponse, isTransient } from "./bucket-faults.ts";
import type { BucketSettings } from "./bucket-settings.ts";
import { textOf } from "./list-response.ts";
import { trimEndOf } from "../../../../contract/trim-end.ts";

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
const ERROR_BYTES = 16 * 1024;

export interface BucketRequest {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** A file is streamed from disk, again on every attempt. */
  body?: Uint8Array | LocalFile;
}

export interface BucketClientDeps {
  settings: BucketSettings;
  dispatcher: Dispatcher;
  /** Limit for the response headers, and between two chunks of the body. */
  timeoutMs?: number;
  pause?: (ms: number) => Promise<unknown>;
  /** Ends the request in progress and its retries. */
  signal?: AbortSignal;
}

export interface BucketClient {
  /**
   * Passes the response to `use`, which must read the body; a connection that breaks meanwhile is retried like one that
   * broke before. Any status but 2xx throws `BucketErrorResponse`.
   */
  send<T>(request: BucketRequest, use: (response: Dispatcher.ResponseData) => Promise<T>): Promise<T>;
}

export function createBucketClient(deps: BucketClientDeps): BucketClient {
  const { settings, dispatcher, timeoutMs = 30_000, pause = sleep, signal } = deps;
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sendOnce(request: BucketRequest): Promise<Dispatcher.ResponseData> {
    const { method, body } = request;
    const { url, headers } = await new AwsV4Signer({
      method,
      url: objectUrl(settings, request),
      headers: { ...request.headers, "x-amz-content-sha256": contentHash(body) },
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey,
      region: settings.region,
      service: "s3",
      cache: signingKeys,
    }).sign();
    const { request: sendRequest } = await import("undici");
    const response = await sendRequest(url, {
      dispatcher,
      method,
      headers: { ...Object.fromEntries(headers), ...lengthOf(body) },
      body: body === undefined ? null : isLocal(body) ? createReadStream(body.path) : body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(signal && { signal }),
    });
    if (response.statusCode >= 200 && response.statusCode < 300) return response;
    throw await toErrorResponse(response);
  }

  return {
    async send(request, use) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await use(await sendOnce(request));
        } catch (error) {
          if (attempt === TRIES || !isTransient(error) || signal?.aborted) throw error;
          // Jitter, so that many processes do not retry at the same moment.
          await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + Math.random()));
        }
      }
    },
  };
}

/** Encoded here, so that the URL sent is exactly the URL signed. */
export function objectUrl(
  { endpoint, bucket, virtualHosted = false }: Pick<BucketSettings, "endpoint" | "bucket" | "virtualHosted">,
  { key, query = {} }: Pick<BucketRequest, "key" | "query">,
): string {
  const names = [...(virtualHosted ? [] : [bucket]), ...(key === "" ? [] : key.split("/"))];
  const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const server = trimEndOf(endpoint, "/");
  const base = virtualHosted ? server.replace("://", `://${bucket}.`) : server;
  return `${base}/${names.map(encoded).join("/")}${search.length > 0 ? `?${search.join("&")}` : ""}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isLocal(body: Uint8Array | LocalFile): body is LocalFile {
  return "path" in body;
}

/** The bucket verifies the upload against it and refuses a file that was corrupted in transit. */
function contentHash(body: Uint8Array | LocalFile | undefined): string {
  if (body !== undefined && isLocal(body)) return body.sha256;
  return createHash("sha256")
    .update(body ?? "")
    .digest("hex");
}

function lengthOf(body: Uint8Array | LocalFile | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { "content-length": String(isLocal(body) ? body.bytes : body.length) };
}

async function toErrorResponse({ statusCode, body }: Dispatcher.ResponseData): Promise<BucketErrorResponse> {
  let text = "";
  for await (const chunk of body as AsyncIterable<Buffer>)
    if (text.length < ERROR_BYTES) text += chunk.toString();
  return new BucketErrorResponse(statusCode, textOf(text, "Code") ?? "");
}
