import { inWords } from "./common.ts";
import { anyValue, choice, connection, fixedChoice, number, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const redisCommands = [
  "get",
  "set",
  "delete",
  "exists",
  "increment",
  "expire",
  "keys",
  "list_push",
  "list_pop",
  "list_range",
  "hash_get",
  "hash_set",
  "hash_delete",
  "set_add",
  "set_remove",
  "set_members",
  "publish",
] as const;
export type RedisCommand = (typeof redisCommands)[number];

const commandWords: Readonly<Record<RedisCommand, string>> = {
  get: "Get a value",
  set: "Set a value",
  delete: "Delete a key",
  exists: "Check a key",
  increment: "Increment a number",
  expire: "Set the time to live",
  keys: "Find keys",
  list_push: "Add to a list",
  list_pop: "Take from a list",
  list_range: "Read a list",
  hash_get: "Get fields of a hash",
  hash_set: "Set fields of a hash",
  hash_delete: "Delete fields of a hash",
  set_add: "Add to a set",
  set_remove: "Remove from a set",
  set_members: "Read a set",
  publish: "Publish a message",
};

type Step = Readonly<Record<string, unknown>>;
const on =
  (...commands: RedisCommand[]) =>
  ({ command }: Step): boolean =>
    commands.includes(command as RedisCommand);
const hasKey = (step: Step): boolean => !on("keys", "publish")(step);
const hasValue = on("set", "list_push", "set_add", "set_remove", "publish");
const hasLimit = on("keys", "list_range", "set_members");

export const redisStep = defineStepType({
  type: "redis",
  title: "Redis",
  description:
    "Runs one command on a Redis or Valkey server, through a connection. Text is stored unchanged, other values as JSON; with as: json values are parsed when they are read. After a crash the step runs again: an increment, a list_push, a list_pop or a publish may then happen twice.",
  category: "data",
  synonyms: ["valkey", "cache", "key value", "queue", "pub sub", "counter", "database"],
  fields: {
    connection: connection("A connection of kind database with a redis:// or rediss:// URL."),
    command: fixedChoice("What to do.", redisCommands),
    key: text("The key.").optional(),
    value: anyValue(
      "set, list_push, set_add, set_remove, publish: the value; a list adds several.",
    ).optional(),
    fields: anyValue(
      "hash_set: an object of fields and values. hash_get, hash_delete: a list of field names; without it hash_get returns all fields.",
    ).optional(),
    amount: number("increment: how much to add, 1 by default.", {
      min: -Number.MAX_SAFE_INTEGER,
      max: Number.MAX_SAFE_INTEGER,
      whole: true,
    }).optional(),
    expiresInMs: number("set, increment, expire: deletes the key after this time in milliseconds.", {
      min: 1,
      max: 10 * 366 * 24 * 3_600_000,
      whole: true,
    }).optional(),
    onlyIf: choice('set: "absent" sets only a new key, "present" only an existing one.', [
      "absent",
      "present",
    ]).optional(),
    side: choice(
      'list_push, list_pop: the "left" or the "right" end; "right" to push and "left" to take by default.',
      ["left", "right"],
    ).optional(),
    pattern: text("keys: a pattern such as user:*.").optional(),
    channel: text("publish: the channel.").optional(),
    limit: number("keys, list_range, set_members: how many, at most 10,000; 1,000 by default.", {
      min: 1,
      max: 10_000,
      whole: true,
    }).optional(),
    as: choice('With "json" values are parsed; "text" by default.', ["text", "json"]).optional(),
  },
  literalFields: ["connection"],
  check: (step) => missing(step),
  summary: (step) =>
    [
      commandWords[step["command"] as RedisCommand] ?? inWords(step["command"]),
      inWords(hasKey(step) ? step["key"] : (step["pattern"] ?? step["channel"])),
    ]
      .filter((part) => part !== "")
      .join(": "),
  initial: { command: "get" },
  form: {
    connection: { label: "Connection", example: "conn_…" },
    command: { label: "Command", words: commandWords },
    key: { label: "Key", common: true, example: "user:{{input.id}}", applies: hasKey },
    value: { label: "Value", common: true, control: "long", applies: hasValue },
    fields: {
      label: "Fields",
      common: true,
      example: '{ "name": "{{input.name}}" }',
      applies: on("hash_get", "hash_set", "hash_delete"),
    },
    amount: { label: "Add", common: true, example: "1", applies: on("increment") },
    expiresInMs: {
      label: "Delete after",
      control: "milliseconds",
      example: "1 h",
      applies: on("set", "increment", "expire"),
    },
    onlyIf: {
      label: "Only if the key is",
      words: { absent: "New", present: "Known" },
      applies: on("set"),
    },
    side: { label: "End", words: { left: "Left", right: "Right" }, applies: on("list_push", "list_pop") },
    pattern: { label: "Pattern", common: true, example: "user:*", applies: on("keys") },
    channel: { label: "Channel", common: true, example: "orders", applies: on("publish") },
    limit: { label: "At most", example: "1000", applies: hasLimit },
    as: {
      label: "Read values as",
      words: { text: "Text", json: "JSON" },
      applies: on("get", "list_pop", "list_range", "hash_get", "set_members"),
    },
  },
  example: {
    stepId: "read-user",
    type: "redis",
    connection: "conn_01j9x3",
    command: "get",
    key: "user:{{input.id}}",
    as: "json",
  },
});

function missing(step: Record<string, unknown>): FieldProblem[] {
  const needed: [field: string, isNeeded: boolean, message: string][] = [
    ["key", hasKey(step), "is required: it is the key"],
    ["value", hasValue(step), "is required: it is the value to store or send"],
    ["fields", on("hash_set", "hash_delete")(step), "is required: it names the fields of the hash"],
    ["expiresInMs", on("expire")(step), "is required: it is the time to live in milliseconds"],
    ["channel", on("publish")(step), "is required: it is the channel"],
    ["pattern", on("keys")(step), "is required: it is the pattern of the keys"],
  ];
  return needed
    .filter(([field, isNeeded]) => isNeeded && step[field] === undefined)
    .map(([field, , message]) => ({ code: "missing_field", field, message }));
}
