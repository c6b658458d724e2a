import type { AppAuth, AppCategory, AppField } from "../contract/apps.ts";
import type { JsonValue } from "../contract/placeholders/json-value.ts";
import type { SignatureScheme } from "../contract/signature-schemes.ts";
import type { HmacOptions } from "../contract/webhooks.ts";

/**
 * An app as data: how to log in, what it can do, and what can start a workflow. docs/extend/apps.md explains how to write one.
 *
 * Every text is a template with Baton's placeholders, which are paths and never code:
 * - requests read `{{input.…}}` (the fields of the action), `{{connection.…}}` (the fields of the connection), and in a list
 *   `{{pageSize}}` with `{{cursor}}`, `{{page}}` or `{{offset}}`;
 * - answers are read with `{{body.…}}`, `{{headers.…}}` (lower-case names) and, in a list, `{{item.…}}` and `{{index}}`.
 * A text that is one placeholder keeps the type of the value. A value that is missing omits its key. Values in a path are
 * percent-encoded, so that they cannot reach another address.
 */
export interface App {
  /** Kebab-case, the name of the file. Stored in workflows: never renamed. */
  id: string;
  title: string;
  /** One sentence: what the app is for. */
  description: string;
  category: AppCategory;
  /** Words that people search for and that are in neither title nor description. */
  synonyms?: readonly string[];
  /** A letter or two on a colour: a logo would be a trademark. */
  icon: { letters: string; color: string };
  /** The vendor's reference. */
  documentation: string;
  /** Before every path. May hold `{{connection.…}}`, such as `https://{{connection.shop}}.myshopify.com`. */
  baseUrl: string;
  /** Where the credential may be sent: `slack.com`, `*.googleapis.com`, `{{connection.shop}}.myshopify.com`. */
  hosts: readonly string[];
  /** Asked when a connection is made, and not secret: the shop, the site. Read as `{{connection.…}}`. */
  fields?: Readonly<Record<string, AppField>>;
  /** Ways to log in; the first is suggested. */
  auth: readonly AppAuth[];
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** A request that works with every valid credential, and the name of the account in its answer. */
  test: { request: AppRequest; account?: string };
  errors?: AppErrors;
  /** Choices for fields with `options`: channels, sheets, repositories. */
  options?: Readonly<Record<string, AppOptions>>;
  /** By id, in snake_case. Ids are stored in workflows: never renamed. */
  actions: Readonly<Record<string, AppAction>>;
  triggers?: Readonly<Record<string, AppTrigger>>;
}

export interface AppRequest {
  /** GET by default. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Follows `baseUrl`: `/repos/{{input.owner}}`. A complete URL replaces it; its host is in `hosts`. */
  path: string;
  /** Inputs whose slashes separate parts of the path: `owner/name`. All others are one part. */
  segments?: readonly string[];
  query?: Readonly<Record<string, JsonValue>>;
  headers?: Readonly<Record<string, string>>;
  /** JSON; a file of an earlier step is sent as its bytes. */
  body?: JsonValue;
  /** Sent as application/x-www-form-urlencoded; nested values as `a[b]`, lists as `a[0]`. */
  form?: Readonly<Record<string, JsonValue>>;
  /** Sent as multipart/form-data: texts and files of earlier steps. */
  multipart?: Readonly<Record<string, JsonValue>>;
  /** Sent as multipart/related, in this order: JSON and files of earlier steps. */
  related?: readonly JsonValue[];
  /** `file`: the answer becomes a file for later steps. */
  responseAs?: "file";
}

/** Values that templates and `prepare` read. */
export interface AppValues {
  input: Readonly<Record<string, JsonValue>>;
  connection: Readonly<Record<string, string>>;
}

/** A request whose answer is read. With `items`, the result is a list. */
export interface AppRead {
  request: AppRequest;
  /** Where the list is: `{{body.channels}}`. */
  items?: string;
  /** How to get more than one page. */
  paging?: AppPaging;
  /**
   * The result, as a template over `{{body.…}}`; with `items`, over `{{item.…}}` for each. Without it, the whole body or item.
   */
  output?: JsonValue;
  /** Code, only where a template cannot: values for the request, read as `{{prepared.…}}`. */
  prepare?: (values: AppValues) => Record<string, JsonValue>;
  /** Code, only where a template cannot: the body that the templates read. */
  parse?: (body: JsonValue, values: AppValues) => JsonValue;
}

/**
 * Where the next page is. The request holds `{{cursor}}`, `{{page}}` or `{{offset}}`, and `{{pageSize}}` if the vendor has
 * a parameter for it. The last page is the one without a cursor or next URL, or with fewer than `size` items.
 */
export type AppPaging = { /** The most items of one page that the vendor allows. */ size: number } & (
  | {
      kind: "cursor";
      /** `{{body.next_cursor}}`, or `{{last.id}}` of the last item. */
      cursor: string;
      /** False on the last page, for vendors that always send a cursor: `{{body.has_more}}`. */
      more?: string;
    }
  | { kind: "next_url"; next: string }
  /** The `Link` header with rel="next". */
  | { kind: "link" }
  | { kind: "page"; first?: 0 | 1 }
  | { kind: "offset" }
);

export interface AppErrors {
  /** For vendors that answer 200 with an error: a template that must be true. `{{body.ok}}` */
  ok?: string;
  /** For vendors that answer 200 with an error: a template that is missing when all is well. `{{body.errors}}` */
  failed?: string;
  /** The vendor's code, looked up in `words` and `expired`: `{{body.error}}`. */
  code?: string;
  /** The vendor's own sentence: `{{body.error.message}}`. Of several places, the first that has one. */
  message?: string | readonly string[];
  /** Sentences for frequent codes or statuses ("404"): what happened and what to do. */
  words?: Readonly<Record<string, string>>;
  /** Codes of an expired token besides status 401: the token is renewed and the request sent once more. */
  expired?: readonly string[];
  rateLimit?: {
    /** Seconds to wait, or the time in seconds since 1970, for vendors that send no Retry-After. */
    wait: string;
    /** For vendors that refuse with 403: what is left, refused for the rate limit when it is 0. */
    remaining?: string;
  };
}

export interface AppOptions extends AppRead {
  title: string;
  items: string;
  value: string;
  label: string;
  /** The request holds `{{search}}`. Without it, Baton compares the labels. */
  search?: true;
}

export interface AppAction extends AppRead {
  title: string;
  description: string;
  synonyms?: readonly string[];
  /** The fields of the form. A list also has `limit`, which Baton adds. */
  input: Readonly<Record<string, AppField>>;
  /** What it returns, shown before the first run; of a list, one item in a list. */
  sample: JsonValue;
  /** By default all but GET. False for a search by POST. Agents ask before they write. */
  writes?: boolean;
  /** It works without a connection. */
  public?: true;
  /** The vendor's header for repeated requests; `Idempotency-Key` is always sent. */
  idempotencyHeader?: string;
}

interface AppTriggerBase {
  title: string;
  description: string;
  synonyms?: readonly string[];
  input: Readonly<Record<string, AppField>>;
  /** The input of a run. */
  sample: JsonValue;
}

export type AppTrigger =
  | (AppTriggerBase & { polling: AppPolling })
  | (AppTriggerBase & { webhook: AppWebhook });

/** Checked every few minutes. Each item starts one run, also after a crash. */
export interface AppPolling extends AppRead {
  items: string;
  /** Unique for each item. With the time of a change in it, every change starts a run: `{{item.id}}:{{item.updated}}`. */
  key: string;
  /** Shown in the list of items. */
  name: string;
  /** How the vendor sorts. */
  order: "newest_first" | "oldest_first";
  /** A value of the newest item, such as its time; the next request reads it as `{{since}}`. The first request has none. */
  since?: string;
}

/** The vendor calls Baton. */
export interface AppWebhook {
  /** Holds `{{webhook.url}}`, and `{{webhook.secret}}` when Baton chooses the secret. */
  subscribe: AppRequest;
  /** The id of the subscription in the answer. */
  id: string;
  /** The secret in the answer, when the vendor chooses it. */
  secret?: string;
  /** When the subscription expires, as an ISO time in the answer; it is made again before. */
  expires?: string;
  /** Holds `{{subscription.id}}`. */
  unsubscribe: AppRequest;
  /** Subscriptions that exist: one with our URL is used again, so that a crash makes no second one. */
  list?: { request: AppRequest; items: string; url: string; id: string };
  /** How deliveries are verified. */
  scheme: SignatureScheme;
  /** For the schemes `hmac` and `bearer`: the header and how the signature is written. */
  signature?: Partial<HmacOptions>;
  /** Shown in the list of items; by default the title of the trigger. */
  name?: string;
  /** Deliveries that start a run: each template has one of its values. */
  only?: Readonly<Record<string, readonly string[]>>;
  /** Deliveries that start none, such as the ping of a new subscription. */
  except?: Readonly<Record<string, readonly string[]>>;
  /** The input of the run, over `{{body.…}}` and `{{headers.…}}`; the whole body without it. */
  output?: JsonValue;
}

export function defineApp<const T extends App>(app: T): T {
  return app;
}
