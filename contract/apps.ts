import * as z from "zod";
import { apiDocumentSchema } from "./api-apps.ts";
import { emptyAsAbsent, success, text } from "./api.ts";
import type { InputField, InputSchema } from "./input/input-field.ts";

export const appCategories = [
  "communication",
  "productivity",
  "files",
  "data",
  "development",
  "sales",
  "marketing",
  "finance",
  "other",
] as const;
export type AppCategory = (typeof appCategories)[number];

/** A field of an action, a trigger or a connection. */
export type AppField = Omit<InputField, "required"> & {
  title: string;
  required?: true;
  /** Grey text in the empty field. */
  example?: string;
  /** The name of the app's options that this field chooses from. */
  options?: string;
  /** Fields that the options depend on: the tables of a base. */
  dependsOn?: readonly string[];
  /** Shown on request. */
  advanced?: true;
};

/** A list returns at most this many items; more would rarely fit into a value. */
export const MAX_LIMIT = 1000;

export const limitField: AppField = {
  type: "integer",
  title: "Limit",
  description: "The most items to return.",
  default: 100,
  minimum: 1,
  maximum: MAX_LIMIT,
  advanced: true,
};

/** The JSON Schema of fields, for checks and tools. */
export function inputSchemaOf(fields: Readonly<Record<string, AppField>>): InputSchema {
  const properties = Object.entries(fields).map(([name, field]): [string, InputField] => {
    const { required: _, example: _e, options: _o, dependsOn: _d, advanced: _a, ...schema } = field;
    return [name, schema];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(fields).filter((name) => fields[name]?.required),
  };
}

const appFieldSchema = z
  .looseObject({
    type: z.enum(["string", "number", "integer", "boolean", "array", "object"]),
    title: z.string(),
    description: z.string().optional(),
    required: z.literal(true).optional(),
    example: z.string().optional().describe("Grey text in the empty field"),
    options: z.string().optional().describe("The options that the field chooses from"),
    dependsOn: z.array(z.string()).optional().describe("Fields that the options depend on"),
    advanced: z.literal(true).optional().describe("Shown on request"),
  })
  .meta({ id: "AppField", description: "A field in a subset of JSON Schema" });

const fieldsSchema = z.record(z.string(), appFieldSchema);

const help = z.string().optional().describe("Where to find the credential");
const named = z.string().optional().describe("What the choice is called; by default the kind");

/** Ways to log in. The connection has the same kind. */
export const appAuthSchema = z
  .discriminatedUnion("kind", [
    z
      .object({
        kind: z.literal("oauth2"),
        title: named,
        grant: z
          .literal("client_credentials")
          .optional()
          .describe("The client itself gets the token; without it, a user signs in"),
        authorizationUrl: z
          .string()
          .optional()
          .describe("Where the user signs in. May hold `{{connection.…}}`"),
        tokenUrl: z.string(),
        scopes: z.array(z.string()),
        scopeSeparator: z.string().optional().describe("A space by default"),
        authorizationParameters: z
          .record(z.string(), z.string())
          .optional()
          .describe("Added to the authorization URL, such as access_type=offline"),
        clientAuthentication: z
          .enum(["basic", "body"])
          .optional()
          .describe("How the client secret is sent to the token URL; `body` by default"),
        pkce: z.literal(false).optional().describe("False for vendors that refuse PKCE"),
        help,
      })
      .meta({ id: "AppOAuth2" }),
    z.object({ kind: z.literal("bearer"), title: named, help }).meta({ id: "AppBearer" }),
    z
      .object({
        kind: z.literal("api_key"),
        title: named,
        in: z.enum(["header", "query", "path"]),
        name: z
          .string()
          .describe("The header or parameter; for `path`, the text in the path that the key replaces"),
        prefix: z.string().optional().describe("Before the key, such as `Bot `"),
        bearer: z.literal(true).optional().describe("The key is sent as a bearer token, too"),
        help,
      })
      .meta({ id: "AppApiKey" }),
    z
      .object({
        kind: z.literal("basic"),
        title: named,
        username: z.string().optional().describe("What the user name is called"),
        password: z.string().optional().describe("What the password is called"),
        help,
      })
      .meta({ id: "AppBasic" }),
    z
      .object({
        kind: z.literal("headers"),
        title: named,
        names: z.array(z.string()).min(1).describe("Headers that a call needs together"),
        help,
      })
      .meta({ id: "AppHeaders" }),
  ])
  .meta({ id: "AppAuth" });
export type AppAuth = Readonly<z.infer<typeof appAuthSchema>>;

/** Of several ways of one kind, the name of the key or the grant says which one a connection uses. */
export function isWayOf(way: AppAuth, kind: string, settings: Readonly<Record<string, unknown>>): boolean {
  if (way.kind !== kind) return false;
  if (way.kind === "api_key") return way.name === settings["name"];
  if (way.kind !== "oauth2") return true;
  return (way.grant === "client_credentials") === (settings["grant"] === "client_credentials");
}

const operation = { id: z.string(), title: z.string(), description: z.string() };
const synonyms = z.array(z.string()).describe("Words for the search");

const summary = {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.enum(appCategories),
  synonyms,
  icon: z.object({ letters: z.string(), color: z.string() }),
  documentation: z.string(),
  isOwn: z.boolean().describe("You made it from an OpenAPI document"),
};

export const appSummarySchema = z
  .object({
    ...summary,
    auth: z
      .array(z.enum(["oauth2", "bearer", "api_key", "basic", "headers"]))
      .describe("Kinds of its connections"),
    connected: z.boolean().describe("You have a connection of this app"),
    actions: z.array(z.object({ ...operation, synonyms, writes: z.boolean() })),
    triggers: z.array(z.object({ ...operation, synonyms, kind: z.enum(["polling", "webhook"]) })),
  })
  .meta({ id: "AppSummary" });
export type AppSummary = z.infer<typeof appSummarySchema>;

const details = { ...operation, synonyms, input: fieldsSchema, sample: z.unknown() };

export const appSchema = z
  .object({
    ...summary,
    connected: z.boolean(),
    hosts: z.array(z.string()).describe("Where its credentials may be sent"),
    fields: fieldsSchema.describe("Asked when a connection is made"),
    auth: z.array(appAuthSchema),
    options: z.array(z.object({ id: z.string(), title: z.string() })),
    api: apiDocumentSchema.nullable().describe("The document of an app of your own"),
    actions: z.array(
      z
        .object({
          ...details,
          writes: z.boolean(),
          needsConnection: z.boolean().describe("A step of it has a connection"),
        })
        .meta({ id: "AppAction" }),
    ),
    triggers: z.array(
      z.object({ ...details, kind: z.enum(["polling", "webhook"]) }).meta({ id: "AppTrigger" }),
    ),
  })
  .meta({ id: "App" });
export type AppDetails = z.infer<typeof appSchema>;

export const appQuerySchema = z.object({
  actions: emptyAsAbsent(text(20_000)).describe(
    "Of an app of yours: ids of the actions to answer, separated by commas. By default all of them",
  ),
});

export const appListResponseSchema = success({ apps: z.array(appSummarySchema) });
export const appResponseSchema = success({ app: appSchema });

export const appOptionsSchema = z.object({
  options: text(100, 1).describe("The name of the options, from the field"),
  connection: text(200, 1),
  input: z.record(z.string(), z.unknown()).default({}).describe("The fields that the options depend on"),
  search: text(200).optional(),
  cursor: text(10_000).optional().describe("`nextCursor` of the previous page"),
});
export type AppOptionsQuery = z.infer<typeof appOptionsSchema>;

export const appOptionsResponseSchema = success({
  options: z.array(z.object({ value: z.union([z.string(), z.number()]), label: z.string() })),
  nextCursor: z.string().nullable(),
});
