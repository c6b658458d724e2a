import { OAuthError } from "./oauth-error.ts";

/** RFC 6749, 3.2: a parameter must not be repeated. Two parsers could otherwise read two different requests. */
export function parseForm(body: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (fields.has(name)) throw new OAuthError("invalid_request", "A parameter is repeated.");
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
