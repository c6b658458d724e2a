import * as z from "zod";
import { limitedRecord, nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";

const MAX_HEADERS = 50;

const name = nameText(200).describe("Shown where a server is chosen");

const url = text(2000, 1)
  .refine(
    (value) => /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value),
    "must be a URL with http:// or https://",
  )
  .refine((value) => {
    if (!URL.canParse(value)) return true;
    const { username, password } = new URL(value);
    return username === "" && password === "";
  }, "must not contain a user name or password: use a header")
  .describe("The address of the server (Streamable HTTP)");

const headers = limitedRecord(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, "must be the name of a header"),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8000}$/, "must be the value of a header"),
  MAX_HEADERS,
).describe("Sent with every request, such as `Authorization`. Stored encrypted and never returned");

const oauthClient = z
  .object({
    clientId: text(2000, 1).optional().describe("Only for a server that registers no clients by itself"),
    clientSecret: text(2000, 1).optional().describe("Stored encrypted and never returned"),
    scope: text(2000, 1)
      .optional()
      .describe("Scopes to ask for, with spaces between. By default the server decides"),
  })
  .describe("For `auth: oauth`");

const auth = z.enum(["none", "headers", "oauth", "connection"]);

const connection = text(200, 1).describe(
  "One of your connections, by id, in place of `headers` and `oauth`. Its credential is sent only to its hosts",
);

function hasOneCredential(given: {
  connection?: unknown;
  headers?: unknown;
  oauth?: unknown;
  auth?: unknown;
}): boolean {
  const { connection: id, headers: own, oauth, auth: chosen = "connection" } = given;
  return id === undefined || (own === undefined && oauth === undefined && chosen === "connection");
}
const ONE_CREDENTIAL = {
  path: ["connection"],
  error: "cannot be combined with headers, oauth or another auth",
};

export const createMcpServerSchema = z
  .object({
    name,
    url: url.optional(),
    stdio: text(100, 1)
      .optional()
      .describe("In place of `url`: a name of `MCP_STDIO_SERVERS`. Only for the administrator"),
    auth: auth
      .optional()
      .describe("By default what is given: `connection`, `oauth` or `headers`, else `none`"),
    headers: headers.optional(),
    oauth: oauthClient.optional(),
    connection: connection.optional(),
  })
  .refine((given) => (given.url === undefined) !== (given.stdio === undefined), {
    path: ["url"],
    message: "needs either url or stdio",
  })
  .refine(hasOneCredential, ONE_CREDENTIAL)
  .refine(({ auth: chosen, connection: id }) => chosen !== "connection" || id !== undefined, {
    path: ["connection"],
    message: "is missing",
  })
  .meta({ examples: [{ name: "Shop", url: "https://shop.example.com/mcp" }] });
export type CreateMcpServer = z.infer<typeof createMcpServerSchema>;

export const updateMcpServerSchema = z
  .object({
    name: name.optional(),
    url: url.optional(),
    auth: auth.optional(),
    headers: headers.optional().describe("Replaces all headers"),
    oauth: oauthClient.optional(),
    connection: connection.optional(),
  })
  .refine(hasOneCredential, ONE_CREDENTIAL)
  .meta({ examples: [{ name: "Shop", url: "https://shop.example.com/mcp" }] });
export type UpdateMcpServer = z.infer<typeof updateMcpServerSchema>;

export const mcpServerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable().describe("null for a server over stdio"),
    stdio: z.string().nullable(),
    auth,
    connection: z.string().nullable().describe("The id of the connection for `auth: connection`"),
    headerNames: z.array(z.string()).describe("The names of the headers; their values are never returned"),
    authorization: z
      .enum(["connected", "needed"])
      .nullable()
      .describe("Whether there are tokens for `auth: oauth`; null for other servers"),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof mcpServerSchema>;

export const mcpServerResponseSchema = success({ server: mcpServerSchema });
export const mcpServerListResponseSchema = success({
  servers: z.array(mcpServerSchema),
  nextCursor: nextCursorSchema,
});

export const mcpServerTestSchema = z
  .object({
    status: z.enum(["connected", "authorization_required", "failed"]),
    message: z.string().describe("What went wrong; empty when connected"),
    serverName: z.string().nullable(),
    protocolVersion: z.string().nullable(),
    tools: z.int().nullable().describe("How many tools the server offers"),
  })
  .meta({ id: "McpServerTest" });
export type McpServerTest = z.infer<typeof mcpServerTestSchema>;
export const mcpServerTestResponseSchema = success({ test: mcpServerTestSchema });

export const authorizeResponseSchema = success({
  authorizationUrl: z
    .string()
    .describe("Open it in the browser; it returns to the page, which finishes the connection"),
});

export const finishAuthorizationSchema = z.object({
  state: text(200, 1),
  code: text(4000, 1).optional(),
  iss: text(2000, 1).optional(),
  error: text(200, 1).optional(),
});
export type FinishAuthorization = z.infer<typeof finishAuthorizationSchema>;

const jsonSchema = z.record(z.string(), z.unknown());

export const mcpToolSchema = z
  .object({
    name: z.string(),
    title: z.string().nullable(),
    description: z.string(),
    inputSchema: jsonSchema.describe("JSON Schema of the arguments"),
    isReadOnly: z.boolean().describe("The server says that the tool changes nothing"),
  })
  .meta({ id: "McpTool" });
export type McpTool = z.infer<typeof mcpToolSchema>;

export const mcpResourceSchema = z
  .object({
    uri: z.string(),
    name: z.string(),
    description: z.string(),
    mimeType: z.string().nullable(),
    isTemplate: z.boolean().describe("`uri` is a URI template with variables in braces"),
  })
  .meta({ id: "McpResource" });
export type McpResource = z.infer<typeof mcpResourceSchema>;

export const mcpPromptSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  })
  .meta({ id: "McpPrompt" });
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

export const mcpToolListResponseSchema = success({ tools: z.array(mcpToolSchema) });
export const mcpResourceListResponseSchema = success({ resources: z.array(mcpResourceSchema) });
export const mcpPromptListResponseSchema = success({ prompts: z.array(mcpPromptSchema) });

const usedBy = z.array(z.object({ id: z.string(), name: z.string() }));
export const mcpServerUsesResponseSchema = success({
  workflows: usedBy.describe("Workflows whose live version or draft names the server"),
  agents: usedBy,
});

export const stdioServerListResponseSchema = success({
  names: z
    .array(z.string())
    .describe("The names of `MCP_STDIO_SERVERS`; empty for anyone but the administrator"),
});
