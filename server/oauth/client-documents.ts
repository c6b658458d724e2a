import * as z from "zod";
import { registerClientSchema } from "../../contract/oauth.ts";
import type { Clock } from "../lib/clock.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import type { Egress } from "../security/egress.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { parseJson } from "../lib/lenient-parse.ts";

const MAX_URL = 500;
const MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 5000;
const MAX_CACHED = 1000;
const DEFAULT_AGE_S = 600;
const MAX_AGE_S = 24 * 3600;

/** Client ID Metadata Documents: the client id is the https address of a JSON document about the client. */
export interface ClientDocuments {
  /** Throws `invalid_client` or the errors of its metadata. */
  read(clientId: string): Promise<ClientMetadata>;
}

const documentSchema = registerClientSchema.extend({ client_id: z.string(), client_name: z.string() });

/** Written exactly as a URL parser writes it: no dot segments, no upper-case host, no hidden host. */
export function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith("https://") || clientId.length > MAX_URL || !URL.canParse(clientId)) return false;
  const { href, pathname, hash, username, password } = new URL(clientId);
  return href === clientId && pathname !== "/" && hash === "" && username === "" && password === "";
}

export function createClientDocuments({
  fetch,
  clock,
}: {
  fetch: Egress["fetch"];
  clock: Clock;
}): ClientDocuments {
  const cache = createSizedCache<{ metadata: ClientMetadata; until: number }>(MAX_CACHED);

  async function download(clientId: string) {
    const options = {
      headers: { accept: "application/json" },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      // A redirect would make another host vouch for the client.
      maxRedirects: 0,
    };
    const response = await fetch(clientId, options).catch((error: unknown) => {
      throw unreadable(`The client's metadata could not be read: ${(error as Error).message}`);
    });
    if (response.status !== 200)
      throw unreadable(`The client's metadata could not be read: the status is ${response.status}.`);
    return response;
  }

  return {
    async read(clientId) {
      const cached = cache.get(clientId);
      if (cached !== undefined && cached.until > clock.monotonic()) return cached.metadata;
      const { body, headers } = await download(clientId);
      const metadata = readDocument(clientId, body.toString("utf8"));
      const until = clock.monotonic() + maxAgeOf(headers["cache-control"]) * 1000;
      cache.set(clientId, { metadata, until }, 1);
      return metadata;
    },
  };
}

function readDocument(clientId: string, text: string): ClientMetadata {
  const parsed = documentSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw unreadable(
      "The client's metadata is not a JSON document with client_id, client_name and redirect_uris.",
    );
  // The document of another client, served at this address, must not speak for this one.
  if (parsed.data.client_id !== clientId)
    throw unreadable("The client_id in the client's metadata is not its address.");
  const metadata = readClientMetadata(parsed.data, "none");
  // The document is public, so it cannot share a secret.
  if (metadata.authMethod !== "none")
    throw unreadable("The client's metadata must have token_endpoint_auth_method none.");
  return metadata;
}

function maxAgeOf(cacheControl = ""): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const age = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  return Math.min(age === undefined ? DEFAULT_AGE_S : Number(age), MAX_AGE_S);
}

function unreadable(description: string): OAuthError {
  return new OAuthError("invalid_client", description);
}
