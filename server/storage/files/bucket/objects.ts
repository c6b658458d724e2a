import type { Dispatcher } from "undici";
import { type ByteRange, checkFileSize, type LocalFile } from "../../../lib/file-store.ts";
import type { BucketClient } from "./bucket-client.ts";
import { BucketErrorResponse, toBucketFault } from "./bucket-faults.ts";
import type { BucketSettings } from "./bucket-settings.ts";
import { type ListPage, parseListResponse } from "./list-response.ts";

export interface ObjectHead {
  bytes: number;
  etag: string;
  /** Set on objects written from a file. */
  sha256: string | undefined;
}

/** The objects below a prefix. A missing object is undefined; any other refusal is an AppError. */
export interface Objects {
  head(key: string): Promise<ObjectHead | undefined>;
  get<T>(
    key: string,
    use: (body: Dispatcher.ResponseData["body"], head: ObjectHead) => Promise<T>,
    range?: ByteRange,
  ): Promise<T | undefined>;
  /** False when the condition in the headers no longer holds. */
  put(key: string, body: Uint8Array | LocalFile, headers?: Record<string, string>): Promise<boolean>;
  remove(key: string): Promise<void>;
  page(below: string, query?: Record<string, string>): Promise<ListPage>;
  pages(below: string, query?: Record<string, string>): AsyncIterable<ListPage>;
}

const HASH_HEADER = "x-amz-meta-sha256";
const isMissing = ({ status, reason }: BucketErrorResponse): boolean =>
  status === 404 && reason !== "NoSuchBucket";
const conditionFailed = ({ status }: BucketErrorResponse): boolean => status === 412 || status === 409;

export function createObjects(client: BucketClient, settings: BucketSettings, prefix: string): Objects {
  /** Turns expected refusals into a result; all others are thrown. */
  async function orElse<T, E>(
    work: Promise<T>,
    isExpected: (refusal: BucketErrorResponse) => boolean,
    result: E,
  ) {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BucketErrorResponse && isExpected(error)) return result;
      throw toBucketFault(error, settings);
    }
  }

  const objects: Objects = {
    head: (key) =>
      orElse(
        client.send({ method: "HEAD", key: prefix + key }, async (response) => {
          await response.body.dump();
          return headOf(response);
        }),
        isMissing,
        undefined,
      ),
    get: (key, use, range) =>
      orElse(
        client.send(
          {
            method: "GET",
            key: prefix + key,
            ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
          },
          (response) => use(response.body, headOf(response)),
        ),
        isMissing,
        undefined,
      ),
    put: (key, body, headers = {}) => {
      const hash = "sha256" in body ? { [HASH_HEADER]: body.sha256 } : {};
      const request = { method: "PUT", key: prefix + key, body, headers: { ...headers, ...hash } } as const;
      return orElse(client.send(request, discardBody), conditionFailed, false);
    },
    async remove(key) {
      await orElse(client.send({ method: "DELETE", key: prefix + key }, discardBody), isMissing, true);
    },
    async page(below, query = {}) {
      const search = { "list-type": "2", "encoding-type": "url", prefix: prefix + below, ...query };
      const xml = await orElse(
        client.send({ method: "GET", key: "", query: search }, (response) => response.body.text()),
        () => false,
        "",
      );
      const { objects, folders, next } = parseListResponse(xml);
      const relative = (key: string): string => key.slice(prefix.length);
      return {
        objects: objects.map(({ key, bytes }) => ({ key: relative(key), bytes })),
        folders: folders.map(relative),
        next,
      };
    },
    async *pages(below, query = {}) {
      for (let token: string | undefined = ""; token !== undefined;) {
        const page = await objects.page(
          below,
          token === "" ? query : { ...query, "continuation-token": token },
        );
        yield page;
        token = page.next;
      }
    },
  };
  return objects;
}

/** Loads a whole body into memory; a body over the limit is not read at all. */
export function loadWithin(
  body: Dispatcher.ResponseData["body"],
  { bytes, more = 0, maxBytes }: { bytes: number; more?: number; maxBytes: number | undefined },
): Promise<Buffer> {
  try {
    checkFileSize(bytes + more, maxBytes);
  } catch (error) {
    body.on("error", () => {}).destroy();
    throw error;
  }
  return body.arrayBuffer().then((content) => Buffer.from(content));
}

async function discardBody({ body }: Dispatcher.ResponseData): Promise<true> {
  await body.dump();
  return true;
}

function headOf({ headers }: Dispatcher.ResponseData): ObjectHead {
  return {
    bytes: Number(headers["content-length"] ?? 0),
    etag: String(headers["etag"] ?? ""),
    sha256: headers[HASH_HEADER] === undefined ? undefined : String(headers[HASH_HEADER]),
  };
}
