import { asNumber } from "../../../contract/compare.ts";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { redisCommands } from "../../../contract/steps/redis.ts";
import type { StepCall } from "../../engine/run/step-runner.ts";
import { inTurns, type PartedWork } from "../../lib/in-turns.ts";
import { parseJsonInParts } from "../../lib/parted-json.ts";
import { describeValue, invalidField, requiredText } from "../../steps/step-failure.ts";
import type { SendCommand } from "./redis-client.ts";
import { malformed, type RedisReply } from "./resp.ts";

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

type Fields = StepCall["fields"];
type Work = (send: SendCommand) => Promise<JsonValue>;

/** The commands of a step. Its fields are checked before anything is sent. */
export function commandOf(fields: Fields): Work {
  const command = requiredText(fields, "command");
  const read = (reply: RedisReply): Promise<JsonValue> => readReply(reply, fields["as"] === "json");
  if (command === "publish") {
    const [channel, message] = [requiredText(fields, "channel"), textOf(fields["value"])];
    return async (send) => ({ receivers: await send("PUBLISH", channel, message) }) as JsonValue;
  }
  if (command === "keys") return findKeys(requiredText(fields, "pattern"), limitOf(fields));
  const key = requiredText(fields, "key");
  const expiresInMs = numberOf(fields, "expiresInMs");
  switch (command) {
    case "get":
      return async (send) => read(await send("GET", key));
    case "set": {
      const condition = { absent: ["NX"], present: ["XX"] }[String(fields["onlyIf"])] ?? [];
      const expiry = expiresInMs === undefined ? [] : ["PX", expiresInMs];
      const value = textOf(fields["value"]);
      return async (send) => ({ set: (await send("SET", key, value, ...expiry, ...condition)) !== null });
    }
    case "delete":
      return async (send) => ({ deleted: (await send("DEL", key)) === 1 });
    case "exists":
      return async (send) => ({ exists: (await send("EXISTS", key)) === 1 });
    case "increment": {
      const amount = numberOf(fields, "amount") ?? 1;
      return async (send) => {
        const value = (await send("INCRBY", key, amount)) as number;
        if (expiresInMs !== undefined) await send("PEXPIRE", key, expiresInMs);
        return { value };
      };
    }
    case "expire":
      if (expiresInMs === undefined) throw invalidField("expiresInMs", "is required");
      return async (send) => ({ set: (await send("PEXPIRE", key, expiresInMs)) === 1 });
    case "list_push": {
      const [name, values] = [fields["side"] === "left" ? "LPUSH" : "RPUSH", valuesOf(fields["value"])];
      return async (send) => ({ length: await send(name, key, ...values) }) as JsonValue;
    }
    case "list_pop":
      return async (send) => read(await send(fields["side"] === "right" ? "RPOP" : "LPOP", key));
    case "list_range": {
      const last = limitOf(fields) - 1;
      return async (send) => read(await send("LRANGE", key, 0, last));
    }
    case "hash_get":
      return readHash(key, fields["fields"], read);
    case "hash_set": {
      const pairs = pairsOf(fields["fields"]);
      return async (send) => ({ added: await send("HSET", key, ...pairs) }) as JsonValue;
    }
    case "hash_delete": {
      const names = namesIn(fields["fields"]);
      return async (send) => ({ deleted: await send("HDEL", key, ...names) }) as JsonValue;
    }
    case "set_add":
    case "set_remove": {
      const values = valuesOf(fields["value"]);
      return async (send) =>
        (command === "set_add"
          ? { added: await send("SADD", key, ...values) }
          : { removed: await send("SREM", key, ...values) }) as JsonValue;
    }
    case "set_members": {
      const limit = limitOf(fields);
      return async (send) => read(await scan(send, "SSCAN", [key], limit));
    }
    default:
      throw invalidField(
        "command",
        `must be one of ${redisCommands.join(", ")}, not ${describeValue(command)}`,
      );
  }
}

/** SCAN and not KEYS, which would block the server for all its clients. */
function findKeys(pattern: string, limit: number): Work {
  return async (send) => (await scan(send, "SCAN", [], limit, ["MATCH", pattern])).map(String).sort();
}

async function scan(
  send: SendCommand,
  name: string,
  before: string[],
  limit: number,
  after: string[] = [],
): Promise<RedisReply[]> {
  const found = new Set<RedisReply>();
  let cursor = "0";
  do {
    const [next, items] = listOf(await send(name, ...before, cursor, ...after, "COUNT", 1000));
    for (const item of listOf(items)) found.add(item);
    cursor = String(next);
  } while (cursor !== "0" && found.size < limit);
  return [...found].slice(0, limit);
}

function readHash(
  key: string,
  given: JsonValue | undefined,
  read: (reply: RedisReply) => Promise<JsonValue>,
): Work {
  const toObject = async (names: readonly string[], replies: readonly RedisReply[]): Promise<JsonValue> => {
    const values = (await read([...replies])) as JsonValue[];
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
  };
  if (given === undefined || given === null)
    return async (send) => {
      const flat = listOf(await send("HGETALL", key));
      const names = flat.filter((_, i) => i % 2 === 0).map(String);
      return toObject(
        names,
        flat.filter((_, i) => i % 2 === 1),
      );
    };
  const names = namesIn(given);
  return async (send) => toObject(names, listOf(await send("HMGET", key, ...names)));
}

function listOf(reply: RedisReply | undefined): RedisReply[] {
  if (!Array.isArray(reply)) throw malformed();
  return reply;
}

async function readReply(reply: RedisReply, json: boolean): Promise<JsonValue> {
  return json ? inTurns(parseReply(reply)) : reply;
}

/** A reply may be a list of ten thousand texts, or one text of ten megabytes. */
function* parseReply(reply: RedisReply): PartedWork<JsonValue> {
  if (Array.isArray(reply)) {
    const list: JsonValue[] = [];
    for (const item of reply) list.push(yield* parseReply(item));
    return list;
  }
  if (typeof reply !== "string") return reply;
  yield;
  try {
    return yield* parseJsonInParts(reply);
  } catch {
    return reply;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function valuesOf(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [textOf(value)];
  if (value.length === 0) throw invalidField("value", "must not be an empty list");
  return value.map(textOf);
}

function namesIn(value: JsonValue | undefined): string[] {
  const names = Array.isArray(value) ? value : [value ?? null];
  if (names.length === 0 || !names.every((name) => typeof name === "string"))
    throw invalidField("fields", "must be a list of field names");
  return names as string[];
}

function pairsOf(value: JsonValue | undefined): string[] {
  if (!isRecord(value) || Object.keys(value).length === 0)
    throw invalidField("fields", "must be an object of fields and values");
  return Object.entries(value).flatMap(([name, each]) => [name, textOf(each as JsonValue)]);
}

function numberOf(fields: Fields, field: string): number | undefined {
  const given = fields[field];
  if (given === undefined || given === null) return undefined;
  const number = asNumber(given);
  if (number === undefined || !Number.isSafeInteger(number))
    throw invalidField(field, `must be a whole number, not ${describeValue(given)}`);
  return number;
}

function limitOf(fields: Fields): number {
  const limit = numberOf(fields, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidField("limit", `must be from 1 to ${MAX_LIMIT}`);
  return limit;
}
