import { type CallOptions, type Client, clientFrom, parseJson, payloadOf } from "../support/client.ts";
import { createRecord, type RecordOwner } from "./records.ts";
import { fillTokens, type Noun, nouns, type UserName, userNames } from "./tokens.ts";

/** A user of the fuzzed service: records that requests refer to, and hidden ones that no request refers to. */
interface FuzzUser extends RecordOwner {
  records: Map<Noun, Record<string, string>>;
  /** Ids of records that no request refers to. */
  hiddenIds: string[];
}

export interface World {
  tokenOf(user: UserName): string;
  /** Replaces the `«alice:task:id»` of a request. */
  fill(text: string): string;
  /** The marks and ids of this user in a response to the other user. */
  leaksOf(user: UserName, text: string): string[];
  /** Recreates the user's record after the old one was deleted or its secret changed. */
  renew(user: UserName, noun: Noun): Promise<void>;
  /** A new account in place of one that the last request deleted, or whose login it ended. */
  reviveIfLocked(user: UserName): Promise<void>;
}

export async function createWorld(address: string): Promise<World> {
  const users = new Map<UserName, FuzzUser>();
  let revived = 0;
  /** Requests in flight find the same account locked: one of them replaces it. */
  const reviving = new Map<UserName, Promise<void>>();
  async function revive(name: UserName): Promise<void> {
    try {
      const { status } = await userOf(name).client.get("/api/auth/me");
      if (status === 401) users.set(name, await createUser(address, name, `.${++revived}`));
    } finally {
      reviving.delete(name);
    }
  }

  // The first account is the administrator.
  for (const name of ["admin", ...userNames] as const) users.set(name, await createUser(address, name));
  const userOf = (name: UserName): FuzzUser => users.get(name)!;
  async function reviveIfLocked(name: UserName): Promise<void> {
    if (!reviving.has(name)) reviving.set(name, revive(name));
    await reviving.get(name);
  }
  async function renew(name: UserName, noun: Noun): Promise<void> {
    userOf(name).records.set(noun, await createRecord(userOf(name), noun));
  }

  return {
    tokenOf: (name) => userOf(name).token,
    fill: (text) =>
      fillTokens(text, (name, noun, field) => userOf(name).records.get(noun)?.[field] ?? "none"),
    leaksOf(name, text) {
      const { mark, hiddenIds } = userOf(name);
      return [mark, ...hiddenIds].filter((secret) => text.includes(secret));
    },
    renew: (name, noun) =>
      // A request of another lane may have ended the login, or deleted what the record needs.
      renew(name, noun).catch(async () => {
        await reviveIfLocked(name);
        await renew(name, noun);
      }),
    reviveIfLocked,
  };
}

/** `suffix` makes the address of a later account another one. */
async function createUser(address: string, name: UserName, suffix = ""): Promise<FuzzUser> {
  const anonymous = clientFor(address);
  const account = { email: `${name}${suffix}@example.com`, password: `password of ${name}` };
  const { token, user: registration } = (await anonymous.post("/api/auth/register", account)).body;
  const mark = `mark-of-${name}-${Math.random().toString(36).slice(2)}`;
  const client = clientFor(address, token);
  const user: FuzzUser = {
    ...account,
    user: registration,
    client,
    token,
    mark,
    records: new Map(),
    hiddenIds: [],
  };
  const hidden: Record<string, string>[] = [];
  for (const noun of name === "admin" ? (["account"] as const) : nouns) {
    hidden.push(await createRecord(user, noun));
    user.records.set(noun, await createRecord(user, noun));
  }
  await user.client.put("/api/variables/plain", { value: mark });
  await user.client.put("/api/variables/sealed", { value: `sealed ${mark}`, secret: true });
  return {
    ...user,
    hiddenIds: hidden.flatMap(({ id, chunkId }) => [id, chunkId].filter((it) => it !== undefined)),
  };
}

/** A client of the service over the network. */
function clientFor(address: string, token?: string): Client {
  return clientFrom(
    async (
      url,
      { method = "GET", headers = {}, body, contentType = "application/json" }: CallOptions = {},
    ) => {
      const response = await fetch(address + url, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": contentType }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: payloadOf(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: parseJson(text) as never,
        text,
      };
    },
  );
}
