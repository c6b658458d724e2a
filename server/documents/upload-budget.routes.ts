import type { FastifyRequest } from "fastify";

/** Uploaded bytes of an owner in an hour. */
export interface HourlyBytes {
  assertLeft(ownerId: string): void;
  add(ownerId: string, amount: number): void;
}

/** Allowance for multipart boundaries and metadata, on top of the file limit. */
export const FORM_BYTES = 128 * 1024;

/** A file over the limit is read to its end, so that the client reads the refusal, but not for ever. */
export function maxChunkedBytes(limitBytes: number): number {
  return 2 * limitBytes + FORM_BYTES;
}

/**
 * Counts the bytes before they are read: uploads at the same time would otherwise all find the budget unused. An upload
 * that fails has sent what it declared; one without a length counts as the largest while it is read.
 */
export async function countUpload<Form extends { file: { bytes: number } }>(
  { headers }: FastifyRequest,
  { ownerId, limitBytes, hourlyBytes }: { ownerId: string; limitBytes: number; hourlyBytes: HourlyBytes },
  read: () => Promise<Form>,
): Promise<Form> {
  const length = headers["content-length"];
  const declared = length === undefined ? limitBytes : Number(length);
  let bytes = length === undefined ? 0 : declared;
  hourlyBytes.assertLeft(ownerId);
  hourlyBytes.add(ownerId, declared);
  try {
    const form = await read();
    ({ bytes } = form.file);
    return form;
  } finally {
    hourlyBytes.add(ownerId, bytes - declared);
  }
}
