import { type CallOptions, type Client, clientFrom, parseJson, payloadOf } from "../support/client.ts";
import { createRecord } from "./records.ts";
import { fillTokens, type Noun, nouns, type UserName, userNames } from "./tokens.ts";

/** What a user of the fuzzed service has: records to be named in requests, and others that nobody ever names. */
interface Citizen {
  client: Client;
  token: string;
  /** Stands in every text of the user's; seen by the other one, it has leaked. */
  mark: string;
  records: Map<Noun, Record<string, string>>;
  /** Ids of records that no request names. */
  hiddenIds: string[];
}

export interface World {
  tokenOf(user: UserName): string;
  /** Fills in the `«alice:task:id»` of a request. */
  fill(text: string): string;
  /** What of this user's stands in a text that another one got. */
  leaksOf(user: UserName, text: string): string[];
  /** Makes the user's record anew, after the old one was deleted or its secret changed. */
  renew(user: UserName, noun: Noun): Promise<void>;
}

export async function createWorld(address: string): Promise<World> {
  const citizens = new Map<UserName, Citizen>();
  for (const name of userNames) citizens.set(name, await settle(address, name));
  const citizen = (name: UserName): Citizen => citizens.get(name)!;
  return {
    tokenOf: (name) => citizen(name).token,
    fill: (text) =>
      fillTokens(text, (name, noun, field) => citizen(name).records.get(noun)?.[field] ?? "none"),
    leaksOf(name, text) {
      const { mark, hiddenIds } = citizen(name);
      return [mark, ...hiddenIds].filter((secret) => text.includes(secret));
    },
    async renew(name, noun) {
      citizen(name).records.set(noun, await createRecord(citizen(name), noun));
    },
  };
}

async function settle(address: string, name: string): Promise<Citizen> {
  const anonymous = clientFor(address);
  const account = { email: `${name}@example.com`, password: `password of ${name}` };
  const { token } = (await anonymous.post("/api/auth/register", account)).body;
  const mark = `mark-of-${name}-${Math.random().toString(36).slice(2)}`;
  const citizen = { client: clientFor(address, token), token, mark, records: new Map(), hiddenIds: [] };
  const hidden: Record<string, string>[] = [];
  for (const noun of nouns) {
    hidden.push(await createRecord(citizen, noun));
    citizen.records.set(noun, await createRecord(citizen, noun));
  }
  await citizen.client.put("/api/variables/plain", { value: mark });
  await citizen.client.put("/api/variables/sealed", { value: `sealed ${mark}`, secret: true });
  return {
    ...citizen,
    hiddenIds: hidden.flatMap(({ id, chunkId }) => [id, chunkId].filter((it) => it !== undefined)),
  };
}

/** The service over the network. */
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
