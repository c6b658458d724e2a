import { OAuthError } from "./oauth-error.ts";

const MAX_PARAMETERS = 100;

/** RFC 6749, 3.2: a parameter must not be repeated. Two parsers could otherwise read two different requests. */
export function parseForm(body: string): Record<string, string> {
  // Counted before the form is parsed: no request of OAuth has as many.
  if (body.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw new OAuthError("invalid_request", `The form has more than ${MAX_PARAMETERS} parameters.`);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (fields.has(name)) throw new OAuthError("invalid_request", "A parameter is repeated.");
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
