import * as z from "zod";
import {
  emptyAsAbsent,
  limitedRecord,
  nameText,
  nextCursorSchema,
  success,
  text,
  timeSchema,
} from "./api.ts";

const MAX_ENTRIES = 50;
const HOST_NAME = /^(\*\.[a-z0-9_-]+\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/;
const HOST_ADDRESS = /^\[[0-9a-f:.]+\](:\d{1,5})?$/;
/** Message framing belongs to the service: a connection cannot set these. */
const OWN_HEADERS =
  /^(connection|content-length|expect|host|keep-alive|proxy-authorization|te|trailer|transfer-encoding|upgrade)$/i;

/** `api.example.com`, `*.example.com`, `localhost:8080`. */
export function isHostEntry(entry: string): boolean {
  return entry.length <= 255 && (HOST_NAME.test(entry) || HOST_ADDRESS.test(entry));
}

const name = nameText(200).describe("Shown where a connection is chosen");

const hosts = z
  .array(
    text(255, 1)
      .transform((entry) => entry.trim().toLowerCase())
      .refine(isHostEntry, "must be a host such as api.example.com, *.example.com or localhost:8080"),
  )
  .max(MAX_ENTRIES)
  .describe(
    "The only hosts that get the credential, also after redirects. `*.example.com` means every subdomain. Without a port an entry means https on port 443",
  );

const headerName = text(200, 1)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be the name of a header")
  .refine((value) => !OWN_HEADERS.test(value), "is a header that cannot be set");

/** Pasted values often end with a line break, which no header may contain. */
const headerValue = text(8000, 1)
  .transform((value) => value.trim())
  .refine((value) => /^[\t\x20-\x7e\x80-\xff]+$/.test(value), "must be text that a header can contain");

const webAddress = text(2000, 1).refine(
  (value) =>
    /^https?:\/\/[^\s/]/i.test(value) &&
    URL.canParse(value) &&
    new URL(value).username + new URL(value).password === "",
  "must be a URL with http:// or https://, without a user name or password",
);

const testUrl = webAddress
  .optional()
  .describe(
    "An address on one of the hosts that answers 2xx to a valid credential. Used to test the connection",
  );

const fields = limitedRecord(text(100, 1), text(2000), MAX_ENTRIES).describe(
  "Settings of the app, such as its site or shop",
);

const mailSettings = z.object({
  host: text(255, 1),
  port: z.int().min(1).max(65_535),
  security: z.enum(["tls", "starttls", "none"]),
  user: text(320, 1),
});

/** Settings are shown. Secrets are stored encrypted and never returned. */
export const connectionSettings = {
  api_key: z.object({
    in: z
      .enum(["header", "query", "path"])
      .optional()
      .describe("Where the key is sent; `header` by default. With `path` it replaces `name` in the path"),
    name: text(200, 1).optional().describe("The name of the header or query parameter. An app has its own"),
    bearer: z.boolean().optional().describe("The key is sent as a bearer token, too"),
    prefix: text(100).optional().describe("Before the key, such as `Token `"),
    testUrl,
  }),
  basic: z.object({ username: text(500), testUrl }),
  bearer: z.object({ testUrl }),
  headers: z.object({ testUrl }),
  oauth2: z.object({
    grant: z.enum(["authorization_code", "client_credentials"]).optional(),
    authorizationUrl: webAddress.optional(),
    tokenUrl: webAddress.optional(),
    issuer: webAddress.optional().describe("Compared with `iss` of the callback when given"),
    scopes: z.array(text(200, 1).regex(/^\S+$/, "must not contain spaces")).max(100).optional(),
    clientId: text(2000, 1)
      .optional()
      .describe("Without one, the client that the administrator entered for the app"),
    clientAuthentication: z
      .enum(["basic", "body"])
      .optional()
      .describe("How the client secret is sent to the token URL; `basic` by default"),
    audience: text(2000, 1).optional().describe("Sent with the request for a token"),
    authorizationParameters: limitedRecord(text(100, 1), text(500), MAX_ENTRIES)
      .optional()
      .describe("Added to the authorization URL, such as `access_type: offline`"),
    scopeSeparator: text(5, 1).optional().describe("A space by default"),
    pkce: z.boolean().optional().describe("False for a server that refuses PKCE"),
    testUrl,
  }),
  database: z.object({}),
  smtp: mailSettings.extend({
    from: text(500, 1)
      .regex(/^[^\p{Cc}]+$/u, "must be one line")
      .optional()
      .describe("The sender, such as `Ada <ada@example.com>`; by default `user`"),
  }),
  imap: mailSettings,
  s3: z.object({
    endpoint: webAddress,
    region: text(100, 1),
    bucket: text(255, 1).optional(),
    accessKeyId: text(500, 1),
    pathStyle: z.boolean().optional(),
  }),
};

export const connectionSecrets = {
  api_key: z.object({ key: headerValue }),
  basic: z.object({ password: text(8000) }),
  bearer: z.object({ token: headerValue }),
  headers: z.object({
    headers: limitedRecord(headerName, headerValue, MAX_ENTRIES).refine(
      (value) => Object.keys(value).length > 0,
      "needs at least one header",
    ),
  }),
  oauth2: z.object({ clientSecret: text(8000, 1).optional() }),
  database: z.object({
    url: text(4000, 1).describe(
      "`postgres://`, `mysql://`, `redis://` or `rediss://` with user, password, host and database; `sqlite:` with a path of your files",
    ),
  }),
  smtp: z.object({ password: text(8000) }),
  imap: z.object({ password: text(8000) }),
  s3: z.object({ secretAccessKey: text(8000, 1) }),
};

export type ConnectionKind = keyof typeof connectionSettings;
export type ConnectionSettings<K extends ConnectionKind> = z.infer<(typeof connectionSettings)[K]>;

export const CONNECTION_KINDS = Object.keys(connectionSettings) as ConnectionKind[];

function create<K extends ConnectionKind>(kind: K, id: string) {
  return z
    .object({
      kind: z.literal(kind),
      name,
      app: text(100, 1).nullable().optional().describe("An app of `GET /api/apps`; its hosts are the hosts"),
      hosts: hosts.optional(),
      fields: fields.optional(),
      settings: connectionSettings[kind],
      secrets: connectionSecrets[kind].describe("Stored encrypted and never returned"),
    })
    .meta({ id });
}

const withSettings = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (given) =>
      typeof given === "object" && given !== null && !Array.isArray(given)
        ? { settings: {}, secrets: {}, ...given }
        : given,
    schema,
  );

export const createConnectionSchema = withSettings(
  z.discriminatedUnion("kind", [
    create("api_key", "NewApiKeyConnection"),
    create("basic", "NewBasicConnection"),
    create("bearer", "NewBearerConnection"),
    create("headers", "NewHeadersConnection"),
    create("oauth2", "NewOAuth2Connection"),
    create("database", "NewDatabaseConnection"),
    create("smtp", "NewSmtpConnection"),
    create("imap", "NewImapConnection"),
    create("s3", "NewS3Connection"),
  ]),
);
export type CreateConnection = z.infer<typeof createConnectionSchema>;

const jsonObject = z.record(z.string(), z.unknown());

export const updateConnectionSchema = z.object({
  name: name.optional(),
  hosts: hosts.optional(),
  fields: fields.optional(),
  settings: jsonObject.optional().describe("Settings of the kind; those left out stay"),
  secrets: jsonObject
    .optional()
    .describe("Replaces the stored secrets. Needed when the credential is to be sent elsewhere"),
});
export type UpdateConnection = z.infer<typeof updateConnectionSchema>;

export const CONNECTION_STATUSES = ["connected", "authorization_needed", "failing", "untested"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
const status = z.enum(CONNECTION_STATUSES);

const connectionShape = {
  id: z.string(),
  kind: z.enum(CONNECTION_KINDS),
  name: z.string(),
  app: z.string().nullable(),
  hosts: z.array(z.string()),
  fields: z.record(z.string(), z.string()),
  settings: jsonObject.describe("Without any secret"),
  status,
  account: z.string().nullable().describe("Whose account it is, where the service says so"),
  problem: z.object({ at: timeSchema, message: z.string() }).nullable(),
  lastTestAt: timeSchema.nullable(),
  lastUsedAt: timeSchema.nullable().describe("To the hour"),
  expiresAt: timeSchema.nullable().describe("When the credential ends, if it is known and cannot be renewed"),
  createdBy: z.string().nullable().describe("Id of the person"),
  canManage: z
    .boolean()
    .describe(
      "You created it, or you are an admin. Otherwise you may use it, and `hosts`, `fields`, `settings` and `account` are empty",
    ),
  createdAt: timeSchema,
  updatedAt: timeSchema,
};
export const connectionSchema = z.object(connectionShape).meta({ id: "Connection" });
export type Connection = z.infer<typeof connectionSchema>;

const used = z.array(z.object({ id: z.string(), name: z.string() }));
export const connectionUsagesSchema = z
  .object({
    workflows: used.describe("Workflows whose live version or draft names the connection"),
    triggers: used,
    agents: used,
    mcpServers: used,
    teams: used.describe("Teams with an external agent that uses it"),
  })
  .meta({ id: "ConnectionUsages" });
export type ConnectionUsages = z.infer<typeof connectionUsagesSchema>;

export const connectionResponseSchema = success({ connection: connectionSchema });
export const connectionListResponseSchema = success({
  connections: z.array(
    connectionSchema
      .extend({ uses: z.int().describe("How many records use it") })
      .meta({ id: "ListedConnection" }),
  ),
  nextCursor: nextCursorSchema,
});
export const connectionDetailsResponseSchema = success({
  connection: connectionSchema.extend({ usedBy: connectionUsagesSchema }).meta({ id: "ConnectionDetails" }),
});

export const deleteConnectionQuerySchema = z.object({
  force: emptyAsAbsent(z.enum(["true", "false"])).describe("`true` also deletes one that is in use"),
});

const connectionTest = {
  status,
  message: z.string().describe("What went wrong; empty when connected"),
  account: z.string().nullable().describe("Whose account it is, where the service says so"),
  ms: z.int().describe("How long it took"),
};
export const connectionTestResponseSchema = success(connectionTest);
const connectionTestSchema = z.object(connectionTest);
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

export const authorizeConnectionResponseSchema = success({
  authorizationUrl: z
    .string()
    .describe("Open it in the browser; it returns to the page, which finishes the connection"),
  redirectUrl: z.string().describe("The redirect address that the client must be registered with"),
});

export const finishConnectionSchema = z.object({
  state: text(200, 1),
  code: text(4000, 1).optional(),
  iss: text(2000, 1).optional(),
  error: text(200, 1).optional(),
});
export type FinishConnection = z.infer<typeof finishConnectionSchema>;

export const putOauthClientSchema = z.object({
  clientId: text(2000, 1).transform((value) => value.trim()),
  clientSecret: text(8000, 1)
    .transform((value) => value.trim())
    .describe("Stored encrypted and never returned"),
});
export type PutOauthClient = z.infer<typeof putOauthClientSchema>;

export const oauthClientSchema = z
  .object({
    app: z.string(),
    title: z.string(),
    scopes: z.array(z.string()).describe("The scopes that the client must be allowed to ask for"),
    configured: z.boolean(),
    clientId: z.string().nullable().describe("null for anyone but the administrator"),
    updatedAt: timeSchema.nullable(),
  })
  .meta({ id: "OauthClient" });
export type OauthClient = z.infer<typeof oauthClientSchema>;

export const oauthClientListResponseSchema = success({
  redirectUrl: z.string().describe("The exact redirect address to enter at the vendor"),
  administrator: z.boolean().describe("Whether you may change the clients"),
  clients: z.array(oauthClientSchema),
});
