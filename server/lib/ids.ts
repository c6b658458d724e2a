import { randomFillSync } from "node:crypto";

/**
 * Ids are `prefix_` + 10 characters of time + 3 of a counter within the millisecond + 16 random ones
 * (80 bits), in Crockford's base 32: sortable by creation, unguessable, safe in a URL.
 */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_LENGTH = 10;
const COUNTER_LENGTH = 3;
const RANDOM_LENGTH = 16;
const BODY = new RegExp(`^[${ALPHABET}]{${TIME_LENGTH + COUNTER_LENGTH + RANDOM_LENGTH}}$`);

export type IdPrefix =
  | "user"
  | "ws"
  | "inv"
  | "act"
  | "login"
  | "wf"
  | "task"
  | "key"
  | "sa"
  | "client"
  | "grant"
  | "wh"
  | "dlv"
  | "sub"
  | "evt"
  | "agent"
  | "team"
  | "sess"
  | "msg"
  | "chat"
  | "doc"
  | "col"
  | "chunk"
  | "tpl"
  | "sch"
  | "trg"
  | "item"
  | "claim"
  | "dec"
  | "mcp"
  | "conn"
  | "api"
  | "worker"
  | "req"
  | "call"
  | "ctx"
  | "push"
  | "file"
  | "val"
  | "note";

// One system call for a few hundred ids: randomBytes(16) per id costs more than the rest of createId.
const pool = new Uint8Array(4096);
let poolOffset = pool.length;
let lastTime = 0;
let lastTimeText = "";
let counter = 0;

export function createId(prefix: IdPrefix, now = Date.now()): string {
  // The clock may step back; ids of one process still sort in the order of their creation.
  if (now > lastTime) advanceTo(now);
  else if (++counter >= 32 ** COUNTER_LENGTH) advanceTo(lastTime + 1);
  return `${prefix}_${lastTimeText}${encode(counter, COUNTER_LENGTH)}${randomPart()}`;
}

function advanceTo(time: number): void {
  lastTime = time;
  lastTimeText = encode(time, TIME_LENGTH);
  counter = 0;
}

/** Sorts before every id created at `time` or later, and after every earlier one. */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  return `${prefix}_${encode(Math.max(0, time), TIME_LENGTH)}`;
}

export function isId(prefix: IdPrefix, value: unknown): value is string {
  return (
    typeof value === "string" && value.startsWith(`${prefix}_`) && BODY.test(value.slice(prefix.length + 1))
  );
}

function encode(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(): string {
  if (poolOffset + RANDOM_LENGTH > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  let text = "";
  for (let i = 0; i < RANDOM_LENGTH; i++) text += ALPHABET.charAt((pool[poolOffset++] ?? 0) & 31);
  return text;
}
