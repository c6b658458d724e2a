import type * as z from "zod";
import type { registerClientSchema } from "../../contract/oauth.ts";
import type { Clock } from "../lib/clock.ts";
import { createId, isId } from "../lib/ids.ts";
import { createSecret, hashKey, secretsEqual } from "../security/api-keys.ts";
import type { ClientRecord, ClientStore } from "./client.sql.ts";
import { type ClientDocuments, isDocumentUrl } from "./client-documents.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";
import { OAuthError } from "./oauth-error.ts";

/** From registration to the first consent. */
const UNUSED_LIFETIME_MS = 24 * 3600 * 1000;
/** From the last consent: an app that was disconnected can ask again without registering. */
const USED_LIFETIME_MS = 90 * 24 * 3600 * 1000;
/** A flood of registrations evicts the oldest unused clients, and only those. */
const MAX_UNUSED = 2000;

export interface OAuthClient extends ClientMetadata {
  id: string;
  /** The host that publishes the client's metadata; null for a client that registered itself. */
  host: string | null;
}

export interface ClientCredentials {
  clientId: string | undefined;
  clientSecret: string | undefined;
}

export interface ClientsDeps {
  store: ClientStore;
  documents: ClientDocuments;
  clock: Clock;
}

export type Clients = ReturnType<typeof createClients>;

export function createClients({ store, documents, clock }: ClientsDeps) {
  return {
    async register(
      given: z.infer<typeof registerClientSchema>,
    ): Promise<{ client: ClientRecord; secret: string | undefined }> {
      const metadata = readClientMetadata(given, "client_secret_basic");
      const createdAt = clock.now();
      const secret = metadata.authMethod === "none" ? undefined : createSecret();
      const client: ClientRecord = {
        ...metadata,
        id: createId("client", createdAt),
        secretHash: secret === undefined ? null : hashKey(secret),
        createdAt,
        expiresAt: createdAt + UNUSED_LIFETIME_MS,
      };
      await store.insert(client, MAX_UNUSED);
      return { client, secret };
    },

    /** For an authorization request, which carries no secret. Throws `invalid_client`. */
    async find(id: string): Promise<OAuthClient> {
      if (isDocumentUrl(id)) return { ...(await documents.read(id)), id, host: new URL(id).host };
      return { ...(await findRegistered(id)), host: null };
    },

    /** Keeps a client that a user has allowed. */
    async keep(id: string): Promise<void> {
      if (isId("client", id)) await store.keepUntil(id, clock.now() + USED_LIFETIME_MS);
    },

    /** The id of the client that sends a token request. Throws `invalid_client`. */
    async authenticate({ clientId, clientSecret }: ClientCredentials): Promise<string> {
      if (clientId === undefined) throw new OAuthError("invalid_client", "client_id is missing.");
      // Its document was read when the user allowed it: the code and the tokens name it.
      if (isDocumentUrl(clientId)) return clientId;
      const { secretHash } = await findRegistered(clientId);
      if (secretHash !== null && !secretsEqual(hashKey(clientSecret ?? ""), secretHash))
        throw new OAuthError("invalid_client", "The client secret is wrong.");
      return clientId;
    },
  };

  async function findRegistered(id: string): Promise<ClientRecord> {
    const found = isId("client", id) ? await store.find(id, clock.now()) : undefined;
    if (found === undefined)
      throw new OAuthError(
        "invalid_client",
        "The client is not registered here, or its registration has expired. Connect again from the app.",
      );
    return found;
  }
}
