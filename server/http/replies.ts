import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { serialize } from "../lib/serialize-json.ts";

/** Skips the response schema: serializing megabytes of step outputs through it costs time and checks nothing. */
export function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.status(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}

export interface StoredReply {
  status?: number;
  type?: string;
  /** The code of an error in `json`, for the audit log: its hook sees objects only. */
  error?: string | undefined;
}

/** Sends JSON as it is stored, without parsing it. */
export function sendStored(
  reply: FastifyReply,
  json: string | Readable,
  { status = 200, type = "application/json; charset=utf-8", error }: StoredReply = {},
): FastifyReply {
  const { audited } = reply.request;
  if (error !== undefined && audited) audited.payload = { error };
  return reply
    .status(status)
    .type(type)
    .serializer((payload: unknown) => payload as string)
    .send(json);
}

/** Sends a body with the result of a run, which may be large: it is serialized in turns of the event loop. */
export async function sendResult(
  reply: FastifyReply,
  body: object,
  options: StoredReply = {},
): Promise<FastifyReply> {
  return sendStored(reply, await serialize(body), options);
}

/** A `content-disposition` header: an ASCII file name for old clients and the real one, percent-encoded. */
export function attachmentHeader(name: string): string {
  const safe = [...name].map((char) => (/[\p{Cc}\p{Cs}/\\]/u.test(char) ? "_" : char)).join("");
  const ascii = safe.replaceAll(/[^\x20-\x7e]|["%]/g, "_");
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
