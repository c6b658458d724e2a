import type { ConnectionKind } from "../../contract/connections.ts";
import type { ConnectionField, FormValues } from "./connection-form.ts";

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
  hint: "An address that succeeds only with a valid credential, for the test",
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

export const connectionKinds = Object.keys(connectionKindForms) as ConnectionKind[];
