import type { ApiResponse, Client } from "../support/client.ts";

export interface FormPart {
  name: string;
  value: string | Uint8Array;
  /** Makes the part a file. */
  fileName?: string;
}

const BOUNDARY = "----baton-test-boundary";
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export function formOf(parts: readonly FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? "" : `; filename="${fileName}"\r\ncontent-type: application/octet-stream`,
    "\r\n\r\n",
    value,
    "\r\n",
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

export function sendForm(client: Client, parts: readonly FormPart[], query = ""): Promise<ApiResponse> {
  return client.call(`/api/v1/documents/upload${query}`, {
    method: "POST",
    body: formOf(parts),
    contentType: MULTIPART,
  });
}

export interface UploadOptions {
  metadata?: unknown;
  fileName?: string;
  query?: string;
}

export function upload(
  client: Client,
  bytes: Uint8Array,
  { metadata, fileName = "manual.pdf", query }: UploadOptions = {},
): Promise<ApiResponse> {
  const file: FormPart = { name: "file", value: bytes, fileName };
  const meta: FormPart[] =
    metadata === undefined ? [] : [{ name: "metadata", value: JSON.stringify(metadata) }];
  return sendForm(client, [...meta, file], query);
}
