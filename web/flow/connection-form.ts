import type { ConnectionKind } from "../../contract/connections.ts";
import type { AppAuth } from "../../contract/apps.ts";
import { readHeaders } from "./read-headers.ts";
import { splitWords } from "./split-words.ts";

/** One field of the form of a connection. */
export interface ConnectionField {
  name: string;
  label: string;
  /** Sealed by the service and never shown again. */
  secret?: true;
  optional?: true;
  control?: "choice" | "number" | "lines" | "words" | "switch";
  options?: readonly { value: string; label: string }[];
  /** The value of a new connection. */
  initial?: string;
  placeholder?: string;
  hint?: string;
  applies?: (values: FormValues) => boolean;
}

export type FormValues = Readonly<Record<string, string>>;

interface ConnectionKindForm {
  title: string;
  /** What it is for, in the list of kinds. */
  text: string;
  fields: readonly ConnectionField[];
  /** The credential is sent over HTTP, to these hosts only. */
  hasHosts: boolean;
}

const sender: ConnectionField = {
  name: "from",
  label: "Sender",
  placeholder: "Ada <ada@example.com>",
  optional: true,
};

const mailServer = (port: string): ConnectionField[] => [
  { name: "host", label: "Server", placeholder: "mail.example.com" },
  { name: "port", label: "Port", control: "number", initial: port },
  {
    name: "security",
    label: "Encryption",
    control: "choice",
    initial: "tls",
    options: [
      { value: "tls", label: "TLS" },
      { value: "starttls", label: "STARTTLS" },
      { value: "none", label: "None" },
    ],
  },
  { name: "user", label: "User" },
  { name: "password", label: "Password", secret: true },
];

/** Without one the service cannot know whether the credential works. */
const testUrl: ConnectionField = {
  name: "testUrl",
  label: "Test URL",
  optional: true,
  placeholder: "https://api.example.com/me",
  hint: "An address that answers 2xx to a valid credential",
};

const signsIn = ({ grant }: FormValues): boolean => grant !== "client_credentials";

export const connectionKindForms: Readonly<Record<ConnectionKind, ConnectionKindForm>> = {
  api_key: {
    title: "API key",
    text: "A key in a header or in the query",
    hasHosts: true,
    fields: [
      {
        name: "in",
        label: "Sent in",
        control: "choice",
        initial: "header",
        options: [
          { value: "header", label: "Header" },
          { value: "query", label: "Query" },
        ],
      },
      { name: "name", label: "Header or parameter", placeholder: "X-Api-Key" },
      { name: "prefix", label: "Prefix", optional: true, applies: ({ in: place }) => place !== "query" },
      { name: "key", label: "API key", secret: true },
      testUrl,
    ],
  },
  bearer: {
    title: "Bearer token",
    text: "A token in the Authorization header",
    hasHosts: true,
    fields: [{ name: "token", label: "Token", secret: true }, testUrl],
  },
  basic: {
    title: "User and password",
    text: "HTTP basic authentication",
    hasHosts: true,
    fields: [
      { name: "username", label: "User" },
      { name: "password", label: "Password", secret: true },
      testUrl,
    ],
  },
  headers: {
    title: "Custom headers",
    text: "Several headers, such as a key and a tenant",
    hasHosts: true,
    fields: [
      {
        name: "headers",
        label: "Headers",
        secret: true,
        control: "lines",
        placeholder: "X-Api-Key: …",
        hint: "One per line",
      },
      testUrl,
    ],
  },
  oauth2: {
    title: "OAuth 2.0",
    text: "Sign in at a service, or a client of your own",
    hasHosts: true,
    fields: [
      {
        name: "grant",
        label: "Grant",
        control: "choice",
        initial: "authorization_code",
        options: [
          { value: "authorization_code", label: "Sign in (authorization code)" },
          { value: "client_credentials", label: "Client credentials" },
        ],
      },
      {
        name: "authorizationUrl",
        label: "Authorization URL",
        placeholder: "https://login.example.com/authorize",
        applies: signsIn,
      },
      { name: "tokenUrl", label: "Token URL", placeholder: "https://login.example.com/token" },
      { name: "clientId", label: "Client ID" },
      { name: "clientSecret", label: "Client secret", secret: true, optional: true },
      { name: "scopes", label: "Scopes", control: "words", optional: true, hint: "Separated by spaces" },
      { name: "audience", label: "Audience", optional: true },
      testUrl,
    ],
  },
  database: {
    title: "Database",
    text: "PostgreSQL, MySQL, SQLite or Redis",
    hasHosts: false,
    fields: [
      {
        name: "url",
        label: "URL",
        secret: true,
        placeholder: "postgres://user:password@db.example.com:5432/orders",
      },
    ],
  },
  smtp: {
    title: "SMTP",
    text: "A server that sends email",
    hasHosts: false,
    fields: [...mailServer("465"), sender],
  },
  imap: { title: "IMAP", text: "A mailbox that is read", hasHosts: false, fields: mailServer("993") },
  s3: {
    title: "S3 storage",
    text: "AWS S3, MinIO, R2 and others",
    hasHosts: false,
    fields: [
      { name: "endpoint", label: "Endpoint", placeholder: "https://s3.eu-central-1.amazonaws.com" },
      { name: "region", label: "Region", initial: "us-east-1" },
      { name: "bucket", label: "Bucket", optional: true },
      { name: "accessKeyId", label: "Access key ID" },
      { name: "secretAccessKey", label: "Secret access key", secret: true },
      { name: "pathStyle", label: "Bucket in the path", control: "switch", optional: true },
    ],
  },
};

/** The fields for one way to sign in to an app; the app knows the rest. */
export function authFields(auth: AppAuth): readonly ConnectionField[] {
  switch (auth.kind) {
    case "bearer":
      return [{ name: "token", label: auth.title ?? "Token", secret: true }];
    case "api_key":
      return [{ name: "key", label: auth.title ?? "API key", secret: true }];
    case "basic":
      return [
        { name: "username", label: auth.username ?? "User" },
        { name: "password", label: auth.password ?? "Password", secret: true },
      ];
    case "oauth2":
      if (auth.grant === "client_credentials") return clientFields(auth.scopes.length);
      return [
        { name: "clientId", label: "Client ID", optional: true },
        { name: "clientSecret", label: "Client secret", secret: true, optional: true },
      ];
    case "headers":
      return [
        {
          name: "headers",
          label: auth.title ?? "Headers",
          secret: true,
          control: "lines",
          initial: auth.names.map((name) => `${name}: `).join("\n"),
          hint: `One per line: ${auth.names.join(", ")}`,
        },
      ];
  }
}

/** A client that gets the token itself, without a sign-in. */
function clientFields(scopes: number): readonly ConnectionField[] {
  return [
    { name: "clientId", label: "Client ID" },
    { name: "clientSecret", label: "Client secret", secret: true },
    {
      name: "scopes",
      label: "Scopes",
      control: "words",
      optional: true,
      hint: scopes === 0 ? "Separated by spaces" : `Separated by spaces. Empty: all ${scopes} of the API`,
    },
    { name: "audience", label: "Audience", optional: true },
    {
      name: "clientAuthentication",
      label: "Client secret is sent in",
      control: "choice",
      initial: "basic",
      options: [
        { value: "basic", label: "Header" },
        { value: "body", label: "Body" },
      ],
    },
  ];
}

export const connectionKinds = Object.keys(connectionKindForms) as ConnectionKind[];

/** The values that the form of a new connection starts with. */
export function initialValues(fields: readonly ConnectionField[]): FormValues {
  return Object.fromEntries(
    fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
  );
}

/** The fields that the other values leave open. */
export function applyingFields(fields: readonly ConnectionField[], values: FormValues): ConnectionField[] {
  return fields.filter(({ applies }) => applies?.(values) ?? true);
}

interface Written {
  settings: Record<string, unknown>;
  secrets: Record<string, unknown>;
  /** The first field that cannot be read, with the reason. */
  problem?: { field: string; message: string };
}

/** What the form says, in the shape of the API. Empty fields are left out. */
export function writtenValues(fields: readonly ConnectionField[], values: FormValues): Written {
  const written: Written = { settings: {}, secrets: {} };
  for (const field of applyingFields(fields, values)) {
    const text = values[field.name] ?? "";
    if (text.trim() === "") continue;
    const { error } = field.control === "lines" ? readHeaders(text) : {};
    if (error !== undefined) written.problem ??= { field: field.name, message: error };
    written[field.secret === true ? "secrets" : "settings"][field.name] = valueOf(field, text);
  }
  return written;
}

function valueOf({ control }: ConnectionField, text: string): unknown {
  switch (control) {
    case "number":
      return Number(text);
    case "switch":
      return text === "true";
    case "words":
      return splitWords(text);
    case "lines":
      return readHeaders(text).headers;
    default:
      return text.trim();
  }
}

/** The host of an address as the list of hosts names it, where an entry without a port means https. Empty until the address is complete. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "http:") return `${hostname}:${port || 80}`;
  return protocol === "https:" ? `${hostname}${port && `:${port}`}` : "";
}
