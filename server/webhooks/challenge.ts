import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { SignatureScheme } from "../../contract/webhooks.ts";

/**
 * The response that a vendor expects to its check of the URL; undefined for an ordinary call. Call only after the
 * signature was verified: otherwise the service would return text of anyone's choice.
 */
export function challengeResponse(
  scheme: SignatureScheme | undefined,
  input: JsonValue,
): { challenge: string } | undefined {
  if (scheme !== "slack" || !isRecord(input) || input["type"] !== "url_verification") return undefined;
  const { challenge } = input;
  return typeof challenge === "string" ? { challenge } : undefined;
}
