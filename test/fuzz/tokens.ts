import fc from "fast-check";

/** Two users. Neither may see the other's records. */
export const userNames = ["alice", "bob"] as const;
/** The administrator of the instance owns nothing that the other two refer to. */
export type UserName = (typeof userNames)[number] | "admin";

export const nouns = [
  "agent",
  "team",
  "session",
  "workflow",
  "template",
  "task",
  "schedule",
  "key",
  "webhook",
  "document",
  "endpoint",
  "workspace",
  "connection",
  "app",
  "subscription",
  "trigger",
  "collection",
  "service",
  "exposure",
  "store",
  "server",
  "login",
  "file",
  "client",
] as const;
/** An `account` is one that only the administrator refers to, and may stop, disable and delete. */
export type Noun = (typeof nouns)[number] | "account";

/**
 * Requests are generated before the records they refer to exist, and again when a failure is shrunk: they contain
 * `«alice:task:id»`, which is replaced by that record's id when the request is sent.
 */
export const tokenOf = (user: string, noun: string, field: string): string => `«${user}:${noun}:${field}»`;
const TOKEN = /(?:«|%C2%AB)(\w+)(?::|%3A)(\w+)(?::|%3A)(\w+)(?:»|%C2%BB)/g;

export function fillTokens(
  text: string,
  valueOf: (user: UserName, noun: Noun, field: string) => string,
): string {
  return text.replaceAll(TOKEN, (_match, user, noun, field) =>
    valueOf(user as UserName, noun as Noun, field as string),
  );
}

/** The user that a request is mostly about, so that its path and its secret belong together. */
const ONE = "one";

export function chooseOne(text: string, user: UserName): string {
  return text.replaceAll(/(«|%C2%AB)one/g, `$1${user}`);
}

/** A field of a record of either user. */
export const fieldOfEitherUser = (noun: Noun, field: string): fc.Arbitrary<string> =>
  fc.constantFrom(...[...userNames, ONE, ONE].map((user) => tokenOf(user, noun, field)));

/** The id of a record of either user, mostly of the kind in the field's name, sometimes an unknown id. */
export function recordToken(fieldName = ""): fc.Arbitrary<string> {
  const meant = nouns.find((noun) => fieldName.toLowerCase().includes(noun));
  const any = fc.constantFrom(...nouns).chain((noun) => fieldOfEitherUser(noun, "id"));
  return fc.oneof(
    { weight: 8, arbitrary: meant === undefined ? any : fieldOfEitherUser(meant, "id") },
    { weight: 1, arbitrary: any },
    { weight: 1, arbitrary: fc.constantFrom("task_0000000000000000000000000000", "wf_", "x", "__proto__") },
  );
}
