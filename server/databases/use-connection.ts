import type { ConnectionSettings } from "../../contract/connections.ts";
import { AppError } from "../lib/errors.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import type { ConnectionUses } from "../connections/connection-uses.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import { redactResult } from "../security/redact-result.ts";
import type { BucketSettings } from "../storage/files/bucket/bucket-settings.ts";
import { invalidField, requiredText } from "../steps/step-failure.ts";
import { type DatabaseTarget, parseDatabaseUrl, type SqliteTarget } from "./database-url.ts";

export type S3Storage = Omit<BucketSettings, "bucket" | "prefix"> & { bucket: string | undefined };

export type Connections = Pick<ConnectionUses, "use">;

/** Opens the step's connection for `work`. Its secrets are in no result, and a refused login marks it as failing. */
export async function withConnection<T>(
  connections: Connections,
  { ownerId, fields }: StepCall,
  kind: ConnectionUse["kind"],
  work: (use: ConnectionUse) => Promise<T>,
): Promise<T> {
  const use = await connections.use(ownerId, requiredText(fields, "connection"));
  if (use.kind !== kind)
    throw invalidField("connection", `must be a connection of kind ${kind}, not ${use.kind}`);
  return redactResult(
    () => secretsOf(use),
    async () => {
      try {
        const result = await work(use);
        await use.succeeded();
        return result;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await use.renew();
        throw use.refused(String(use.settings["host"] ?? "The service"));
      }
    },
  );
}

/** The database of the step's connection. */
export function withDatabase<T>(
  connections: Connections,
  call: StepCall,
  work: (target: DatabaseTarget | SqliteTarget) => Promise<T>,
): Promise<T> {
  return withConnection(connections, call, "database", (use) =>
    work(parseDatabaseUrl(use.secretValues["url"] ?? "")),
  );
}

export function storageOf({ settings, secretValues }: ConnectionUse): S3Storage {
  const { endpoint, region, bucket, accessKeyId, pathStyle } = settings as ConnectionSettings<"s3">;
  const secretAccessKey = secretValues["secretAccessKey"] ?? "";
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, virtualHosted: pathStyle === false };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "connection_authorization_required";
}

/** The password alone is a secret too, not only the URL that contains it. */
function secretsOf(use: ConnectionUse): string[] {
  const { url } = use.secretValues;
  const target = url === undefined ? undefined : parseDatabaseUrl(url);
  const password = target !== undefined && "password" in target ? target.password : undefined;
  return [...use.secrets(), ...(password === undefined ? [] : [password])];
}
