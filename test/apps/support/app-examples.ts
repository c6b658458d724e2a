import type { App } from "../../../apps/define-app.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

/** An answer of the vendor, as its documentation shows it. Only what the app reads needs to be there. */
export interface VendorAnswer {
  /** 200 by default. */
  status?: number;
  headers?: Record<string, string>;
  body?: JsonValue;
}

/** A request that no fixture describes, word for word. */
export interface ExpectedRequest {
  method: string;
  /** With the query: `/lists/1/items?limit=2`. */
  path: string;
  body?: JsonValue;
}

export interface ReadExample {
  /** What a user enters; `{}` by default. */
  input?: Record<string, JsonValue>;
  /** The documented answer. Its output equals the `sample` of the app. */
  answer?: VendorAnswer;
  /** Of a list with paging: two pages. The output of the first begins with the `sample`. */
  pages?: [first: VendorAnswer, last: VendorAnswer];
  /** Where the fixture has no such operation. */
  request?: ExpectedRequest;
}

/** What the tests of an app need: data only. */
export interface AppExamples {
  app: App;
  /** Where the answers are documented. */
  source: string;
  /** Extract of the vendor's OpenAPI description, made with `extract-operations.mjs`; null when there is none. */
  fixture: OperationsFixture | null;
  /** The fields of the connection. */
  fields?: Record<string, string>;
  /** The user name of a `basic` connection. */
  username?: string;
  test: VendorAnswer & { account: string };
  actions: Record<string, ReadExample>;
  options?: Record<string, ReadExample & { first: { value: string | number; label: string } }>;
  triggers?: Record<string, TriggerExample>;
  /** Errors that users meet, and what Baton says; one of them at least. */
  errors: (VendorAnswer & { says: string })[];
  /** An expired token, for vendors that do not answer 401. */
  expired?: VendorAnswer;
  /** Too many requests, for vendors without Retry-After, and when the next is possible. */
  rateLimit?: VendorAnswer & { seconds: number };
}

export type TriggerExample =
  | (ReadExample & {
      /** `polling`: the answer holds the item of the `sample`, among others or alone. */
      kind: "polling";
    })
  | {
      kind: "webhook";
      input?: Record<string, JsonValue>;
      /** The answer to the subscription, and the id in it. */
      subscribed: VendorAnswer & { id: string };
      /** Exact requests, where the fixture has no such operations. */
      requests?: { subscribe: ExpectedRequest; unsubscribe: ExpectedRequest };
      /** A delivery whose input is the `sample`, and one that starts nothing. */
      delivery: { headers: Record<string, string>; body: JsonValue };
      ignored?: { headers: Record<string, string>; body: JsonValue };
    };

/** What a vendor's OpenAPI description says, by `METHOD /path/{parameter}`. `!` marks what is required. */
export interface OperationsFixture {
  source: string;
  operations: Record<string, { query?: Record<string, string>; body?: Record<string, string> }>;
}
