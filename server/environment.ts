import { availableParallelism } from "node:os";
import * as z from "zod";
import { PROVIDERS } from "../contract/models.ts";
import { readRoleMapping } from "./accounts/oidc/oidc-settings.ts";
import { readStdioAllowlist } from "./mcp-client/stdio-settings.ts";
import { readPriceTable } from "./models/model-prices.ts";
import { readModelList } from "./models/model-settings.ts";
import { isLoopback, isLoopbackName } from "./security/address-classes.ts";
import { SAMPLERS } from "./telemetry/sampler.ts";
import { readPairs } from "./telemetry/telemetry-settings.ts";

// One schema for each setting: a chain of `.int().min().max()` creates eight, and every start creates all of them.
const settingText = z.string();
const integerSetting = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  settingText.transform((text, context) => readInteger(text, min, max, context)).default(fallback);
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

/** Environment variables of the service, each with its default. */
export const environmentSchema = z.object({
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

export type Environment = z.infer<typeof environmentSchema>;

function readInteger(text: string, min: number, max: number, context: z.RefinementCtx): number {
  const value = Number(text);
  if (!Number.isInteger(value)) context.addIssue("must be a whole number");
  else if (value < min) context.addIssue(`must be at least ${min}`);
  else if (value > max) context.addIssue(`must be at most ${max}`);
  return value;
}

/** Tokens must not travel in plain text over a network. */
function isSecureIssuer(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackName(hostname) || isLoopback(hostname);
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
