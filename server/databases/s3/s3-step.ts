import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import { asNumber } from "../../../contract/compare.ts";
import { isFileReference } from "../../../contract/file-reference.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { s3Actions } from "../../../contract/steps/s3.ts";
import type { StepCall, StepRunner } from "../../engine/run/step-runner.ts";
import type { Clock } from "../../lib/clock.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { FairQueue } from "../../lib/fair-queue.ts";
import type { LocalFile } from "../../lib/file-store.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Limits } from "../../limits/limits.ts";
import { hashFile } from "../../run-files/incoming-file.ts";
import type { RunFiles } from "../../run-files/run-files.ts";
import type { Egress } from "../../security/egress.ts";
import { bytesOf } from "../../steps/binary-value.ts";
import { toFileFailure } from "../../steps/file-failure.ts";
import { checkValues, readAnswer } from "../../steps/http-response.ts";
import { describeValue, invalidField, requiredText } from "../../steps/step-failure.ts";
import {
  type BucketClient,
  createBucketClient,
  objectUrl,
} from "../../storage/files/bucket/bucket-client.ts";
import type { BucketSettings } from "../../storage/files/bucket/bucket-settings.ts";
import { parseListResponse } from "../../storage/files/bucket/list-response.ts";
import type { S3Storage } from "../use-connection.ts";
import { toS3Failure } from "./s3-failure.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const DEFAULT_EXPIRY_SECONDS = 3600;
/** A thousand keys of the longest kind, percent-encoded. */
const LIST_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 1024 * 1024;
/** It becomes part of a host name or a path. */
const BUCKET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;

export interface S3RunnerDeps {
  egress: Pick<Egress, "dispatcher">;
  /** Passes the storage of the step's connection to `work`, without a bucket when it names none. */
  withStorage<T>(call: StepCall, work: (storage: S3Storage) => Promise<T>): Promise<T>;
  runFiles: Pick<RunFiles, "create" | "withLocalFile" | "find">;
  limits: Pick<Limits, "max" | "countRefusal">;
  clock: Pick<Clock, "now">;
  /** Serves owners in turn. */
  queue: Pick<FairQueue, "run">;
  /** In tests: no pauses between attempts. */
  pause?: (ms: number) => Promise<unknown>;
}

interface S3Call {
  call: StepCall;
  settings: BucketSettings;
  client: BucketClient;
  deps: S3RunnerDeps;
}

/** Reads and writes objects of S3-compatible storage. */
export function createS3Runner(deps: S3RunnerDeps): StepRunner {
  async function run(call: StepCall, storage: S3Storage, signal: AbortSignal): Promise<JsonValue> {
    const settings: BucketSettings = { ...storage, bucket: bucketOf(call.fields, storage), prefix: "" };
    const client = createBucketClient({
      settings,
      dispatcher: await deps.egress.dispatcher(),
      signal,
      ...(deps.pause && { pause: deps.pause }),
    });
    try {
      return await act({ call, settings, client, deps });
    } catch (error) {
      signal.throwIfAborted();
      throw toFileFailure(toS3Failure(error, settings, call.fields["key"]));
    }
  }

  return {
    async run(call) {
      const { ownerId, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = call;
      const output = await deps.queue.run(
        ownerId,
        async () => {
          const deadline = createDeadline(timeoutMs, { outer: signal, reason: () => timedOut(timeoutMs) });
          try {
            return await deps.withStorage(call, (storage) => {
              call.assertLease();
              return run(call, storage, deadline.signal);
            });
          } finally {
            deadline.clear();
          }
        },
        { signal },
      );
      return { output };
    },
  };
}

function act(given: S3Call): Promise<JsonValue> {
  const action = requiredText(given.call.fields, "action");
  switch (action) {
    case "get":
      return get(given);
    case "put":
      return put(given);
    case "list":
      return list(given);
    case "delete":
      return remove(given);
    case "signed_url":
      return signedUrl(given);
    default:
      throw invalidField("action", `must be one of ${s3Actions.join(", ")}, not ${describeValue(action)}`);
  }
}

async function get({ call, client, deps }: S3Call): Promise<JsonValue> {
  const key = keyOf(call.fields);
  const { ownerId, taskId } = call;
  return client.send({ method: "GET", key }, async ({ headers, body }): Promise<JsonValue> => {
    const contentType = String(headers["content-type"] ?? "");
    if (call.fields["as"] === "file")
      return deps.runFiles.create(
        { ownerId, taskId },
        { name: key.split("/").at(-1) || "object", contentType },
        body as AsyncIterable<Buffer>,
      );
    const maxBytes = deps.limits.max("value_bytes");
    const bytes = await load(body, Number(headers["content-length"] ?? 0), maxBytes, call);
    const response = { status: 200, headers: { "content-type": contentType }, body: bytes } as never;
    await checkValues(response, deps.limits);
    return readAnswer(response);
  });
}

/** Counts while it reads: the length that the server declares may be wrong. */
async function load(
  body: Dispatcher.ResponseData["body"],
  declared: number,
  maxBytes: number,
  { holdLargeValue, signal }: StepCall,
): Promise<Buffer> {
  const isTooLarge = (bytes: number): boolean => maxBytes > 0 && bytes > maxBytes;
  const chunks: Buffer[] = [];
  let bytes = isTooLarge(declared) ? declared : 0;
  let holds = false;
  const hold = async (size: number): Promise<void> => {
    if (holds || size <= LARGE_BYTES || isTooLarge(size)) return;
    holds = true;
    await holdLargeValue(signal);
  };
  await hold(declared);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (isTooLarge(bytes))
      throw outputTooLarge("value_bytes", `The object is larger than ${maxBytes} bytes. Use as: file.`);
    await hold(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function put({ call, settings, client, deps }: S3Call): Promise<JsonValue> {
  const { fields, ownerId } = call;
  const key = keyOf(fields);
  const content = fields["content"] ?? "";
  const send = async (body: Uint8Array | LocalFile, contentType: string): Promise<JsonValue> => {
    const given = fields["contentType"];
    const headers = { "content-type": typeof given === "string" && given !== "" ? given : contentType };
    const etag = await client.send({ method: "PUT", key, body, headers }, async (response) => {
      await response.body.dump();
      return String(response.headers["etag"] ?? "").replaceAll('"', "");
    });
    const bytes = "path" in body ? body.bytes : body.length;
    return { bucket: settings.bucket, key, bytes, etag };
  };
  if (isFileReference(content)) {
    const { contentType } = await deps.runFiles.find(ownerId, content.file);
    return deps.runFiles.withLocalFile(ownerId, content.file, async (path) => {
      const { bytes, sha256 } = await hashFile(path);
      return send({ path, bytes, sha256 }, contentType);
    });
  }
  if (typeof content === "string") return send(Buffer.from(content), "text/plain; charset=utf-8");
  const binary = bytesOf(content);
  if (binary !== undefined)
    return send(binary, String((content as Record<string, JsonValue>)["contentType"]));
  return send(Buffer.from(JSON.stringify(content)), "application/json");
}

async function list({ call: { fields }, client }: S3Call): Promise<JsonValue> {
  const query: Record<string, string> = {
    "list-type": "2",
    "encoding-type": "url",
    "max-keys": String(wholeNumber(fields, "limit", 1, 1000) ?? 1000),
    ...(textIn(fields, "prefix") && { prefix: textIn(fields, "prefix") }),
    ...(textIn(fields, "after") && { "continuation-token": textIn(fields, "after") }),
  };
  const xml = await client.send({ method: "GET", key: "", query }, async ({ body }) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LIST_BYTES)
        throw new AppError(
          "response_too_large",
          "The list of objects is too long. List fewer with `limit` or a longer `prefix`.",
        );
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  });
  const { objects, next } = parseListResponse(xml);
  return { objects: objects as JsonValue[], next: next ?? null } as JsonValue;
}

async function remove({ call, settings, client }: S3Call): Promise<JsonValue> {
  const key = keyOf(call.fields);
  await client.send({ method: "DELETE", key }, ({ body }) => body.dump());
  return { bucket: settings.bucket, key, deleted: true };
}

async function signedUrl({ call: { fields }, settings, deps }: S3Call): Promise<JsonValue> {
  const seconds = wholeNumber(fields, "expiresInSeconds", 1, 604_800) ?? DEFAULT_EXPIRY_SECONDS;
  const query = { "X-Amz-Expires": String(seconds) };
  const { url } = await new AwsV4Signer({
    method: fields["method"] === "PUT" ? "PUT" : "GET",
    url: objectUrl(settings, { key: keyOf(fields), query }),
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    region: settings.region,
    service: "s3",
    signQuery: true,
  }).sign();
  return { url: url.href, expiresAt: new Date(deps.clock.now() + seconds * 1000).toISOString() };
}

function bucketOf(fields: StepCall["fields"], { bucket }: S3Storage): string {
  const name = textIn(fields, "bucket") || bucket;
  if (name === undefined) throw invalidField("bucket", "is required: the connection names no bucket");
  if (!BUCKET_NAME.test(name)) throw invalidField("bucket", "must be the name of a bucket");
  return name;
}

/** A URL has no such segments: `../other/key` would be a key of another bucket. */
function keyOf(fields: StepCall["fields"]): string {
  const key = requiredText(fields, "key");
  if (key.split("/").some((name) => name === "." || name === ".."))
    throw invalidField("key", 'must not have "." or ".." between slashes');
  return key;
}

function textIn(fields: StepCall["fields"], field: string): string {
  return fields[field] === undefined || fields[field] === null ? "" : requiredText(fields, field);
}

function wholeNumber(
  fields: StepCall["fields"],
  field: string,
  min: number,
  max: number,
): number | undefined {
  const given = fields[field];
  if (given === undefined || given === null) return undefined;
  const number = asNumber(given);
  if (number === undefined || !Number.isInteger(number) || number < min || number > max)
    throw invalidField(field, `must be a whole number from ${min} to ${max}`);
  return number;
}

function timedOut(ms: number): AppError {
  return new AppError("query_failed", `The storage did not answer within ${ms} ms.`, { retryable: true });
}
