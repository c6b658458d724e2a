import { resolve } from "node:path";
import { LIMITS, type LimitName } from "../contract/limits.ts";
import type { OidcSettings } from "./accounts/oidc/oidc-settings.ts";
import { type Environment, environmentSchema } from "./environment.ts";
import { AppError } from "./lib/errors.ts";
import { scrubbedEnvironment, type StdioAllowlist } from "./mcp-client/stdio-settings.ts";
import type { ModelSettings } from "./models/model-settings.ts";
import { isLoopback, isLoopbackName } from "./security/address-classes.ts";
import { readTelemetry } from "./telemetry/telemetry-settings.ts";

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
  return toConfig(parsed.data, given);
}

function toConfig(env: Environment, given: Record<string, string | undefined>) {
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
    limits: readLimits(env),
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
    llm: readLlm(env),
    embedding: readEmbedding(env),
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

function readOidc(env: Environment): OidcSettings | undefined {
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

function readLimits(env: Environment) {
  return Object.freeze({
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
    values: readOwnerLimits(env),
  });
}

/** Unless a setting says otherwise, no owner takes all slots: another one can always start a task or an expression. */
function readOwnerLimits(env: Environment): Readonly<Record<LimitName, number>> {
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
function settingsThatOpen({ HOST, PUBLIC_URL, TRUST_PROXY }: Environment): string[] {
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

function readBucket(env: Environment) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { S3_REGION: region, S3_PREFIX: prefix } = env;
  return Object.freeze({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix });
}

function readLlm(env: Environment) {
  return Object.freeze({
    provider: env.LLM_PROVIDER,
    model: env.LLM_MODEL,
    apiKey: env.LLM_API_KEY,
    baseUrl: env.LLM_BASE_URL,
    /** The first one is the default. */
    models: readModels(env),
    timeoutMs: env.LLM_TIMEOUT_MS,
    prices: { currency: env.LLM_PRICES_CURRENCY, models: env.LLM_PRICES },
  });
}

function readEmbedding(env: Environment) {
  return Object.freeze({
    provider: env.EMBEDDING_PROVIDER,
    model: env.EMBEDDING_MODEL,
    apiKey: env.EMBEDDING_API_KEY,
    baseUrl: env.EMBEDDING_BASE_URL,
  });
}

function readModels(env: Environment): readonly ModelSettings[] {
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
