import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { JSON_MEDIA_TYPE } from "../lib/json-media-type.ts";

const PLAIN_TEXT = /^text\/plain\s*(;|$)/i;

/**
 * The JSON value of a body. Amazon SNS sends JSON as plain text, and some programs send it without a type; other text is
 * more often a mistake of the sender.
 */
export async function readJsonInput(
  contentType: string | undefined,
  body: Buffer,
  /** Throws `invalid_json`; undefined for a blank body. */
  parseJson: (bytes: Buffer) => Promise<unknown>,
): Promise<JsonValue> {
  const isJson = body.length === 0 || (contentType !== undefined && JSON_MEDIA_TYPE.test(contentType));
  if (!isJson && contentType !== undefined && !PLAIN_TEXT.test(contentType)) throw unsupportedMediaType();
  try {
    const input = await parseJson(body);
    if (input === undefined) throw new AppError("invalid_json", "The body is not valid JSON.");
    return input as JsonValue;
  } catch (error) {
    throw isJson ? error : unsupportedMediaType();
  }
}

function unsupportedMediaType(): AppError {
  return new AppError(
    "unsupported_media_type",
    "The body is neither JSON nor a form nor a binary file. Send JSON with `Content-Type: application/json`.",
  );
}
