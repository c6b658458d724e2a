import type { ConnectionSettings, OauthClient, PutOauthClient } from "../../contract/connections.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { oauthClientContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { ConnectionApp, ConnectionApps } from "./connection-app.ts";
import type { ConnectionRecord } from "./connection.sql.ts";
import type { OauthClientStore } from "./oauth-client.sql.ts";
import { openJson } from "./sealed-json.ts";

export interface OauthClientsDeps {
  store: OauthClientStore;
  box: SecretBox;
  clock: Clock;
  apps: ConnectionApps;
  isAdministrator(ownerId: string): Promise<boolean>;
}

/** The client that requests tokens: the connection's own, or the one of this instance. */
export interface TokenClient {
  clientId: string;
  clientSecret: string | undefined;
}

export type OauthClients = ReturnType<typeof createOauthClients>;

export function createOauthClients({ store, box, clock, apps, isAdministrator }: OauthClientsDeps) {
  async function requireAdministrator(ownerId: string): Promise<void> {
    if (!(await isAdministrator(ownerId)))
      throw new AppError("forbidden", "Only an administrator can do this.");
  }

  function requireApp(id: string): ConnectionApp {
    const app = apps.builtIn().find((each) => each.id === id);
    if (app === undefined || scopesOf(app) === undefined) throw notFound("app");
    return app;
  }

  return {
    async clientOf(record: ConnectionRecord): Promise<TokenClient | undefined> {
      const { clientId } = record.settings as ConnectionSettings<"oauth2">;
      if (clientId !== undefined) {
        const { clientSecret } = openJson(box, record, "secrets", record.secrets);
        return { clientId, clientSecret: clientSecret as string | undefined };
      }
      const app = apps.builtIn().find(({ id }) => id === record.app);
      if (app === undefined || !hasFixedTokenHost(app)) return undefined;
      const client = await store.find(app.id);
      return (
        client && {
          clientId: client.clientId,
          clientSecret: box.open(client.clientSecret, oauthClientContext(app.id)),
        }
      );
    },

    /** The apps with OAuth. Only the administrator sees the ids of the clients. */
    async list(ownerId: string): Promise<{ administrator: boolean; clients: OauthClient[] }> {
      const [administrator, stored] = await Promise.all([isAdministrator(ownerId), store.list()]);
      const clients = apps.builtIn().flatMap((app) => {
        const scopes = scopesOf(app);
        if (scopes === undefined || !hasFixedTokenHost(app)) return [];
        const client = stored.find((each) => each.app === app.id);
        return {
          app: app.id,
          title: app.title,
          scopes: [...scopes],
          configured: client !== undefined,
          clientId: administrator ? (client?.clientId ?? null) : null,
          updatedAt: client === undefined ? null : toIso(client.updatedAt),
        };
      });
      return { administrator, clients };
    },

    async put(ownerId: string, appId: string, { clientId, clientSecret }: PutOauthClient): Promise<void> {
      await requireAdministrator(ownerId);
      const app = requireApp(appId);
      await store.put({
        app: app.id,
        clientId,
        clientSecret: box.seal(clientSecret, oauthClientContext(app.id)),
        updatedAt: clock.now(),
      });
    },

    async remove(ownerId: string, appId: string): Promise<void> {
      await requireAdministrator(ownerId);
      await store.remove(requireApp(appId).id);
    },
  };
}

function oauthOf({ auth }: ConnectionApp) {
  return auth.find((each) => each.kind === "oauth2");
}

function scopesOf(app: ConnectionApp): readonly string[] | undefined {
  return oauthOf(app)?.scopes;
}

/**
 * A user's field may be a subdomain of the token URL, never its whole host: the secret of this instance would be sent to a
 * host of the user's choice.
 */
function hasFixedTokenHost(app: ConnectionApp): boolean {
  return /^https?:\/\/(\{\{[^{}]+\}\}\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\//.test(
    oauthOf(app)?.tokenUrl ?? "",
  );
}
