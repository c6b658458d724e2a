import { AppError } from "../lib/errors.ts";

/** `base` is the URL that redirects to this one. */
export function parseOutboundUrl(text: string | URL, base?: URL): URL {
  const url = parsedUrl(text, base);
  if (url === undefined)
    throw invalidUrl(
      base === undefined
        ? "The URL is not complete. Give one with http:// or https://."
        : `${nameOf(base)} is not a valid URL.`,
    );
  const { protocol } = url;
  if (protocol !== "http:" && protocol !== "https:")
    throw invalidUrl(`${nameOf(base)} has the scheme "${protocol}". Only http and https are supported.`);
  // Rejected, not stripped: it either hides the real host (http://good.example@10.0.0.1/) or is a password that would
  // appear in logs and in the stored input.
  if (url.username || url.password)
    throw invalidUrl(
      `${nameOf(base)} contains a user name or password. ${base === undefined ? "Send an Authorization header instead." : "Such a redirect is not followed."}`,
    );
  if (url.hash === "") return url;
  const requested = new URL(url);
  requested.hash = "";
  return requested;
}

function parsedUrl(text: string | URL, base: URL | undefined): URL | undefined {
  if (text instanceof URL) return text;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function nameOf(base: URL | undefined): string {
  return base === undefined ? "The URL" : `The Location header in the redirect of ${base.host}`;
}

function invalidUrl(message: string): AppError {
  return new AppError("invalid_url", message);
}
