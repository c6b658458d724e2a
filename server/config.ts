import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { LIMITS, type LimitName } from "../contract/limits.ts";
import { AppError } from "./lib/errors.ts";
import { readStdioAllowlist, scrubbedEnvironment, type StdioAllowlist } from "./mcp-client/stdio-settings.ts";
import { type OidcSettings, readRoleMapping } from "./accounts/oidc/oidc-settings.ts";
import { readPriceTable } from "./models/model-prices.ts";
import { type ModelSettings, readModelList } from "./models/model-settings.ts";
import { isLoopback, isLoopbackName } from "./security/address-classes.ts";
import { SAMPLERS } from "./telemetry/sampler.ts";
import { readPairs, readTelemetry } from "./telemetry/telemetry-settings.ts";
import { PROVIDERS } from "../contract/models.ts";

const integerSetting = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number({ error: "must be a whole number" })
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);
const booleanSetting = (fallback: boolean) =>
  z
    .enum(["true", "false", "1", "0"], { error: "must be true or false" })
    .transform((text) => text === "true" || text === "1")
    .default(fallback);
function splitCommas(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

const list = z.string().default("").transform(splitCommas);
const hostNames = list.refine(
  (hosts) => hosts.every((host) => /^(\*\.)?[\w.-]+$|^\[?[0-9a-f:.]+\]?$/i.test(host)),
  "must be host names, *.domains or addresses without a port, comma-separated",
);
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
  .refine((text) => URL.canParse(text), "must be a URL like postgres://user:password@host:5432/name");
const CREATE_KEY_HINT = "Create one with: openssl rand -hex 32";
const WEAK_KEY_MESSAGE = `is easy to guess, because it repeats a few characters. ${CREATE_KEY_HINT}`;
const MINUTE_LIMIT_MAX = 1_000_000;
const MIB = 1024 * 1024;

const environmentSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: integerSetting(3000, 0, 65_535),
  PUBLIC_URL: httpUrl.optional(),
  ALLOWED_HOSTS: hostNames,
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: integerSetting(10, 2, 1000),
  ROLE: z.enum(["all", "api", "worker"]).default("all"),
  LEASE_MS: integerSetting(15_000, 1000, 600_000),
  JWT_SECRET: z
    .string()
    .min(32, `must have at least 32 characters. ${CREATE_KEY_HINT}`)
    .refine(isStrongText, WEAK_KEY_MESSAGE)
    .optional(),
  JWT_PREVIOUS_SECRETS: list,
  ENCRYPTION_KEY: z.string().optional().transform(readKeys),
  ALLOW_REGISTRATION: booleanSetting(true).unwrap().optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  TRUST_PROXY: z.string().default("").transform(readTrustProxy),
  CORS_ORIGINS: list,
  RATE_LIMIT_WEBHOOK_PER_MINUTE: integerSetting(20, 0, MINUTE_LIMIT_MAX),
  RATE_LIMIT_ENDPOINT_PER_MINUTE: integerSetting(60_000, 0, 100 * MINUTE_LIMIT_MAX),
  RATE_LIMIT_GENERATE_PER_MINUTE: integerSetting(10, 0, MINUTE_LIMIT_MAX),
  RATE_LIMIT_LOGIN_PER_MINUTE: integerSetting(20, 0, MINUTE_LIMIT_MAX),
  RATE_LIMIT_CHAT_PER_MINUTE: integerSetting(20, 0, MINUTE_LIMIT_MAX),
  SYNC_TIMEOUT_MS: integerSetting(60_000, 1),
  STOP_GRACE_MS: integerSetting(10_000, 0, 3_600_000),
  WORKER_CONCURRENCY: integerSetting(Math.max(128, availableParallelism() * 64), 1, 100_000),
  RUNNING_TASKS_PER_OWNER: integerSetting(0).unwrap().optional(),
  QUEUED_TASKS_PER_OWNER: integerSetting(50_000),
  DESCENDANTS_PER_TASK: integerSetting(20_000),
  EXPRESSION_PROCESSES: integerSetting(2, 1, 64),
  EXPRESSIONS_PER_OWNER: integerSetting(0).unwrap().optional(),
  CODE_THREADS: integerSetting(2, 1, 64),
  CODE_PER_OWNER: integerSetting(0).unwrap().optional(),
  DATABASE_CONNECTIONS_PER_OWNER: integerSetting(10),
  CODE_TIMEOUT_MS: integerSetting(5000, 100, 600_000),
  CODE_MEMORY_MB: integerSetting(128, 16, 1024),
  MODEL_CALLS: integerSetting(128, 1, 100_000),
  MODEL_CALLS_PER_OWNER: integerSetting(64),
  EMBEDDINGS_PER_OWNER: integerSetting(4),
  WAITING_JOBS_PER_OWNER: integerSetting(10_000),
  WAITING_PASSWORDS_PER_ADDRESS: integerSetting(100),
  STREAMS_PER_USER: integerSetting(1000),
  STREAMS_PER_ADDRESS: integerSetting(2000),
  EMAIL_MAX_RECIPIENTS: integerSetting(100),
  EMAILS_PER_HOUR: integerSetting(1000),
  TRIGGERS_PER_OWNER: integerSetting(200),
  TRIGGER_CHECKS_PER_OWNER: integerSetting(4),
  KEPT_EVENTS_PER_OWNER: integerSetting(10_000),
  KEPT_EVENT_BYTES_PER_OWNER: integerSetting(16 * MIB),
  CHAT_MESSAGES_PER_OWNER: integerSetting(100_000),
  STORE_VALUES_PER_OWNER: integerSetting(10_000),
  STORE_BYTES_PER_OWNER: integerSetting(64 * MIB),
  MAX_STORE_VALUE_BYTES: integerSetting(256 * 1024),
  UPLOAD_BYTES_PER_HOUR: integerSetting(2048 * MIB),
  DOCUMENT_PAGES_PER_HOUR: integerSetting(50_000),
  MAX_FILE_BYTES: integerSetting(512 * MIB),
  FILE_BYTES_PER_OWNER: integerSetting(10_240 * MIB),
  MAX_VALUE_BYTES: integerSetting(10 * MIB),
  MAX_TASK_OUTPUT_BYTES: integerSetting(100 * MIB),
  MAX_JOURNAL_ENTRIES: integerSetting(100_000),
  MAX_SECRET_BYTES: integerSetting(128 * 1024),
  MAX_RESPONSE_BYTES: integerSetting(16 * MIB),
  RETENTION_DAYS: integerSetting(0),
  CHAT_RETENTION_DAYS: integerSetting(30, 0, 36_500),
  AUDIT_RETENTION_DAYS: integerSetting(400, 0, 36_500),
  SCHEDULE_MIN_INTERVAL_SECONDS: integerSetting(60, 0, 86_400),
  TRIGGER_MIN_INTERVAL_SECONDS: integerSetting(60, 0, 86_400),
  TEAM_MAX_TURNS: integerSetting(20, 1, 10_000),
  TEAM_MAX_TOKENS: integerSetting(1_000_000, 1),
  TEAM_JOIN_WAIT_MS: integerSetting(10_000, 0, 3_600_000),
  MAX_STEPS: integerSetting(20_000, 1),
  JSON_BODY_LIMIT_BYTES: integerSetting(2 * 1024 * 1024, 1024),
  WEBHOOK_BODY_LIMIT_BYTES: integerSetting(1024 * 1024, 1024),
  DOCUMENTS_WATCH_FOLDER: z.string().min(1).optional(),
  DOCUMENTS_WATCH_ACCOUNT: z.string().min(1).toLowerCase().optional(),
  DOCUMENTS_WATCH_COLLECTION: z.string().min(1).optional(),
  UPLOAD_LIMIT_BYTES: integerSetting(50 * 1024 * 1024, 1024),
  EGRESS_ALLOW: list,
  EGRESS_DENY: list,
  LLM_PROVIDER: z.enum(PROVIDERS).optional(),
  LLM_MODEL: z.string().optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_MODELS: z.string().default("").transform(readModelList),
  LLM_PRICES: z.string().default("").transform(readPriceTable),
  LLM_PRICES_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be a currency such as USD")
    .default("USD"),
  LLM_TIMEOUT_MS: integerSetting(120_000, 1, 300_000),
  EMBEDDING_PROVIDER: z
    .enum(["local", "openai", "ollama", "openai-compatible", "onnx-folder"])
    .default("local"),
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_BASE_URL: httpUrl.optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  OCR_LANGUAGES: z
    .string()
    .default("eng")
    .transform(splitCommas)
    .refine(
      (codes) => codes.every((code) => /^(?:none|[a-z]{3}(?:_[a-z]{3,4})?)$/.test(code)),
      "must be codes of Tesseract such as eng,deu,chi_sim, or none",
    )
    .transform((codes) => codes.filter((code) => code !== "none")),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" }).optional(),
  SMTP_FROM: z.string().optional(),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "must be a URL" })
    .refine(isSecureIssuer, "must begin with https://, or be on this machine")
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPES: z.string().default("openid profile email"),
  OIDC_GROUPS_CLAIM: z.string().default("groups"),
  OIDC_ROLE_MAPPING: z.string().default("").transform(readRoleMapping),
  OIDC_BUTTON_LABEL: z.string().default("single sign-on"),
  OIDC_ONLY: booleanSetting(false),
  OIDC_CREATE_ACCOUNTS: booleanSetting(true),
  OIDC_TRUST_EMAIL: booleanSetting(false),
  MCP_STDIO_SERVERS: z.string().default("").transform(readStdioAllowlist),
  S3_ENDPOINT: httpUrl.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/, "must be a valid bucket name")
    .optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(
      /^(?!(.*\/)?\.+(\/|$))[\w.-]+(\/[\w.-]+)*$/,
      "must be path segments of letters, digits, dots and dashes, separated by /",
    )
    .default(""),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default("").transform(readPairs),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/json", {
      error: "must be http/json, which every collector accepts at its port for OTLP over HTTP",
    })
    .optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: integerSetting(10_000, 100, 60_000),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_METRICS_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: "must be a number from 0 to 1" })
    .min(0, "must be a number from 0 to 1")
    .max(1, "must be a number from 0 to 1")
    .default(1),
  OTEL_PROPAGATORS: z.string().default("tracecontext").transform(splitCommas),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().default("").transform(readPairs),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: booleanSetting(false),
  OTEL_BSP_SCHEDULE_DELAY: integerSetting(5000, 10, 600_000),
  OTEL_BSP_MAX_QUEUE_SIZE: integerSetting(2048, 1, 100_000),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integerSetting(512, 1, 2048),
  OTEL_METRIC_EXPORT_INTERVAL: integerSetting(60_000, 100, 3_600_000),
  OTEL_SDK_DISABLED: booleanSetting(false),
});

export type Config = ReturnType<typeof readConfig>;

/** Throws one error that lists every invalid setting. */
export function readConfig(environment: Record<string, string | undefined>) {
  // `PORT=` in an .env file means "not set".
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  // Compiling a schema that is used once takes longer than using it.
  const parsed = environmentSchema.safeParse(given, { jitless: true });
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join(".")}: ${issue.message}`),
    ...conflictingSettings(given).map((problem) => `  ${problem}`),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new AppError("invalid_config", `Invalid settings:\n${problems.join("\n")}`);
  }
  const env = parsed.data;
  const publicUrl = env.PUBLIC_URL?.replace(/\/+$/, "");
  const reachableThrough = settingsThatOpen(env);
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    /** Names in the Host header that are served in addition to loopback, HOST and PUBLIC_URL. */
    allowedHosts: env.ALLOWED_HOSTS,
    /** Base URL under which this service can reach itself. */
    serviceUrl: publicUrl ?? `http://${reachableHost(env.HOST)}:${env.PORT}`,
    dataDir: resolve(env.DATA_DIR),
    /** Files of this folder become documents of the account. */
    watchFolder: Object.freeze({
      folder: env.DOCUMENTS_WATCH_FOLDER && resolve(env.DOCUMENTS_WATCH_FOLDER),
      email: env.DOCUMENTS_WATCH_ACCOUNT,
      collection: env.DOCUMENTS_WATCH_COLLECTION,
    }),
    database: Object.freeze({
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL,
      poolSize: env.DATABASE_POOL_SIZE,
    }),
    jwtSecret: env.JWT_SECRET,
    /** Verify tokens that were issued before JWT_SECRET was replaced. */
    previousJwtSecrets: env.JWT_PREVIOUS_SECRETS,
    encryptionKeys: env.ENCRYPTION_KEY,
    allowRegistration: env.ALLOW_REGISTRATION ?? true,
    /** Only the first account can register, with the set-up code that the service logs at start. */
    setupMode: env.ALLOW_REGISTRATION === undefined && !isLoopback(env.HOST),
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    limits: Object.freeze({
      webhookPerMinute: env.RATE_LIMIT_WEBHOOK_PER_MINUTE,
      endpointPerMinute: env.RATE_LIMIT_ENDPOINT_PER_MINUTE,
      generatePerMinute: env.RATE_LIMIT_GENERATE_PER_MINUTE,
      loginPerMinute: env.RATE_LIMIT_LOGIN_PER_MINUTE,
      chatPerMinute: env.RATE_LIMIT_CHAT_PER_MINUTE,
      jsonBodyBytes: env.JSON_BODY_LIMIT_BYTES,
      webhookBodyBytes: env.WEBHOOK_BODY_LIMIT_BYTES,
      uploadBytes: env.UPLOAD_LIMIT_BYTES,
      steps: env.MAX_STEPS,
      /** Shortest time between two runs of a schedule; 0 allows any. */
      scheduleIntervalSeconds: env.SCHEDULE_MIN_INTERVAL_SECONDS,
      /** Shortest time between two checks of a trigger; 0 allows any. */
      triggerIntervalSeconds: env.TRIGGER_MIN_INTERVAL_SECONDS,
      /** Shares and budgets of an owner, by the names of contract/limits.ts; 0 is off. */
      values: readLimits(env),
    }),
    syncTimeoutMs: env.SYNC_TIMEOUT_MS,
    /** How long a stop waits for running steps. */
    stopGraceMs: env.STOP_GRACE_MS,
    role: env.ROLE,
    /** A process that sends no heartbeat for this long loses its tasks to others. */
    leaseMs: env.LEASE_MS,
    /** An API process runs no tasks. */
    workerConcurrency: env.ROLE === "api" ? 0 : env.WORKER_CONCURRENCY,
    /** Each takes up to 128 MB while it works. */
    expressionProcesses: env.EXPRESSION_PROCESSES,
    /** Threads of the sandbox. */
    codeThreads: env.CODE_THREADS,
    /** Requests to language models at once, of all owners. */
    modelCalls: env.MODEL_CALLS,
    retentionDays: env.RETENTION_DAYS,
    /** Messages of chats; 0 keeps them. */
    chatRetentionDays: env.CHAT_RETENTION_DAYS,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    teams: Object.freeze({
      maxTurns: env.TEAM_MAX_TURNS,
      maxTokens: env.TEAM_MAX_TOKENS,
      joinWaitMs: env.TEAM_JOIN_WAIT_MS,
    }),
    /** Settings that let others reach the service; empty on a personal machine. */
    reachableThrough,
    egress: Object.freeze({
      allowPrivate: reachableThrough.length === 0,
      allow: env.EGRESS_ALLOW,
      deny: env.EGRESS_DENY,
    }),
    llm: Object.freeze({
      provider: env.LLM_PROVIDER,
      model: env.LLM_MODEL,
      apiKey: env.LLM_API_KEY,
      baseUrl: env.LLM_BASE_URL,
      /** The first one is the default. */
      models: readModels(env),
      timeoutMs: env.LLM_TIMEOUT_MS,
      prices: { currency: env.LLM_PRICES_CURRENCY, models: env.LLM_PRICES },
    }),
    embedding: Object.freeze({
      provider: env.EMBEDDING_PROVIDER,
      model: env.EMBEDDING_MODEL,
      apiKey: env.EMBEDDING_API_KEY,
      baseUrl: env.EMBEDDING_BASE_URL,
    }),
    /** Codes of Tesseract; none turns text recognition off. */
    ocrLanguages: env.OCR_LANGUAGES,
    smtp: Object.freeze({ url: env.SMTP_URL, from: env.SMTP_FROM }),
    /** Undefined: people log in with passwords. */
    oidc: readOidc(env),
    /** Programs that the administrator may use as MCP servers, with the variables that they get. */
    stdioServers: readStdioServers(env.MCP_STDIO_SERVERS, given),
    /** Undefined: files are in the data folder. */
    bucket: readBucket(env),
    /** Undefined: nothing is sent to a collector. */
    telemetry: readTelemetry(env),
  });
}

/** Problems of settings that are valid one by one but do not fit together. */
function conflictingSettings(given: Record<string, string | undefined>): string[] {
  const onlyOneOf = (a: string, b: string) => (given[a] === undefined) !== (given[b] === undefined);
  const problems: string[] = [];
  if (given["DATABASE_URL"] === undefined && ["api", "worker"].includes(given["ROLE"] ?? "all"))
    problems.push(
      "ROLE: api and worker require DATABASE_URL, because only one process can use the embedded database",
    );
  if (onlyOneOf("DOCUMENTS_WATCH_FOLDER", "DOCUMENTS_WATCH_ACCOUNT"))
    problems.push("DOCUMENTS_WATCH_FOLDER and DOCUMENTS_WATCH_ACCOUNT: set both, or neither");
  if (onlyOneOf("OIDC_ISSUER", "OIDC_CLIENT_ID"))
    problems.push("OIDC_ISSUER and OIDC_CLIENT_ID: set both, or neither");
  for (const name of missingBucketSettings(given))
    problems.push(`${name}: must be set, because another S3 setting is set`);
  return problems;
}

/** Tokens must not travel in plain text over a network. */
function isSecureIssuer(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackName(hostname) || isLoopback(hostname);
}

function readOidc(env: z.infer<typeof environmentSchema>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = env;
  if (issuer === undefined || clientId === undefined) return undefined;
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: env.OIDC_CLIENT_SECRET,
    scopes: env.OIDC_SCOPES,
    groupsClaim: env.OIDC_GROUPS_CLAIM,
    roleRules: env.OIDC_ROLE_MAPPING,
    buttonLabel: env.OIDC_BUTTON_LABEL,
    only: env.OIDC_ONLY,
    createAccounts: env.OIDC_CREATE_ACCOUNTS,
    trustEmail: env.OIDC_TRUST_EMAIL,
  });
}

function readStdioServers(allowlist: StdioAllowlist, environment: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(allowlist).map(([name, { command, args, env }]) => [
      name,
      { command, args, env: scrubbedEnvironment(env, environment) },
    ]),
  );
}

/** Unless a setting says otherwise, no owner takes all slots: another one can always start a task or an expression. */
function readLimits(env: z.infer<typeof environmentSchema>): Readonly<Record<LimitName, number>> {
  const given = {
    ...env,
    RUNNING_TASKS_PER_OWNER: env.RUNNING_TASKS_PER_OWNER ?? Math.ceil(env.WORKER_CONCURRENCY / 2),
    EXPRESSIONS_PER_OWNER: env.EXPRESSIONS_PER_OWNER ?? Math.max(1, env.EXPRESSION_PROCESSES - 1),
    CODE_PER_OWNER: env.CODE_PER_OWNER ?? Math.max(1, env.CODE_THREADS - 1),
  };
  const values = LIMITS.map(({ name, setting }) => [name, given[setting]] as const);
  return Object.freeze(Object.fromEntries(values) as Record<LimitName, number>);
}

/** 0.0.0.0 and :: are addresses to listen on, not to connect to; a URL puts an IPv6 address in brackets. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** The settings that make the service reachable from other machines; empty if none does. */
function settingsThatOpen({ HOST, PUBLIC_URL, TRUST_PROXY }: z.infer<typeof environmentSchema>): string[] {
  const isPublic = PUBLIC_URL !== undefined && !isLoopbackName(new URL(PUBLIC_URL).hostname);
  return [
    ...(isLoopback(HOST) ? [] : ["HOST"]),
    ...(isPublic ? ["PUBLIC_URL"] : []),
    ...(TRUST_PROXY === false ? [] : ["TRUST_PROXY"]),
  ];
}

const BUCKET_SETTINGS = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/** An incomplete bucket must not fall back to the local folder, which other machines cannot read. */
function missingBucketSettings(given: Record<string, unknown>): string[] {
  const anyIsSet = Object.keys(given).some((name) => name.startsWith("S3_"));
  return anyIsSet ? BUCKET_SETTINGS.filter((name) => given[name] === undefined) : [];
}

function readBucket(env: z.infer<typeof environmentSchema>) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { S3_REGION: region, S3_PREFIX: prefix } = env;
  return Object.freeze({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix });
}

function readModels(env: z.infer<typeof environmentSchema>): readonly ModelSettings[] {
  const { LLM_PROVIDER: provider, LLM_MODEL: model, LLM_API_KEY: apiKey, LLM_BASE_URL: baseUrl } = env;
  return provider === undefined ? env.LLM_MODELS : [{ provider, model, apiKey, baseUrl }, ...env.LLM_MODELS];
}

/** Reads the settings of this process. No other file reads process.env. */
export function readEnvironment(): Config {
  return readConfig(process.env);
}

/** Names of variables by which other programs find a proxy for outgoing calls. */
export function readProxyVariables(): string[] {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return names.filter((name) => (process.env[name] ?? "") !== "");
}

/** A random key has almost no repeated bytes; a key that someone typed to satisfy a length check has few different ones. */
const MIN_DISTINCT_IN_KEY = 8;

function isStrongText(text: string): boolean {
  return new Set(text).size >= MIN_DISTINCT_IN_KEY;
}

/** Comma-separated keys for rotation: the first encrypts, all of them decrypt. */
function readKeys(text: string | undefined, context: z.RefinementCtx): Buffer[] {
  return (text ?? "")
    .split(",")
    .filter(Boolean)
    .map((part, position) => {
      const key = /^[0-9a-f]{64}$/i.test(part.trim())
        ? Buffer.from(part.trim(), "hex")
        : Buffer.from(part.trim(), "base64");
      if (key.length !== 32)
        context.addIssue(`must be 32 bytes, as 64 hex digits or as base64. ${CREATE_KEY_HINT}`);
      // An older key only decrypts: it must stay usable until everything is encrypted with a better one.
      else if (position === 0 && new Set(key).size < MIN_DISTINCT_IN_KEY)
        context.addIssue(`${WEAK_KEY_MESSAGE}, and put it before this one: new key, comma, old key`);
      return key;
    });
}

/** A number of proxies, `true`, or a list of addresses. Empty: X-Forwarded-For is ignored. */
function readTrustProxy(text: string): boolean | number | string[] {
  if (text === "" || text === "false" || text === "0") return false;
  if (text === "true") return true;
  return /^\d+$/.test(text) ? Number(text) : text.split(",").map((part) => part.trim());
}
