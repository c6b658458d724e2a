import type { AppOptions } from "../../apps/define-app.ts";
import type { AppOptionsQuery } from "../../contract/apps.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError, invalidRequest, notFound } from "../lib/errors.ts";
import { createRedactor, type Redactor } from "../security/redact.ts";
import { parseJsonText } from "../lib/untrusted-json.ts";
import type { AppClient } from "./app-client.ts";
import type { AppCatalogue } from "./catalogue.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { type PagePosition, readPage } from "./read-pages.ts";
import { scopeOf } from "./run-action.ts";
import { fill, fillText } from "./template.ts";

const TIMEOUT_MS = 30_000;
/** Per page. */
const MAX_BYTES = 1024 * 1024;
/** Pages that one search may read when the vendor cannot search. */
const PAGES_PER_SEARCH = 5;

const STEP_CODES: ReadonlySet<string> = new Set(["http_error", "invalid_field", "response_too_large"]);

export interface AppOptionsDeps {
  catalogue: Pick<AppCatalogue, "find">;
  client: AppClient;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

export interface OptionList {
  options: { value: string | number; label: string }[];
  nextCursor: string | null;
}

/** The choices of a field: channels, sheets, repositories. */
export function createAppOptions({ catalogue, client, useConnection }: AppOptionsDeps) {
  return async function list(ownerId: string, appId: string, query: AppOptionsQuery): Promise<OptionList> {
    const app = await catalogue.find(ownerId, appId, []);
    if (app === undefined) throw notFound("app", appId);
    const options = Object.hasOwn(app.options ?? {}, query.options)
      ? app.options?.[query.options]
      : undefined;
    if (options === undefined) throw invalidRequest(`${app.title} has no options "${query.options}".`);
    const position = readCursor(query.cursor);
    const use = await useConnection(ownerId, query.connection);
    const stop = AbortSignal.timeout(TIMEOUT_MS);
    const call = { ownerId, taskId: "", idempotencyKey: "options", answeredFailures: 0, stop };
    try {
      const input = Object.fromEntries(
        Object.entries(query.input as Record<string, JsonValue>).filter(
          ([, value]) => value !== null && value !== "",
        ),
      );
      const scope = { ...scopeOf(options, use, input), ...(query.search && { search: query.search }) };
      const read = (at: PagePosition | undefined) => {
        const session = client.open({ app, use, call, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
        return readPage(client, session, options, scope, {
          position: at,
          pageSize: options.paging?.size ?? 100,
        });
      };
      const { found, next } = await readOptions(options, query.search ?? "", position, read);
      const redactor = createRedactor(use.secrets());
      return { options: await redactor.valueInTurns(found), nextCursor: toCursor(next, redactor) };
    } catch (error) {
      throw toRouteError(error);
    }
  };
}

async function readOptions(
  options: AppOptions,
  search: string,
  start: PagePosition | undefined,
  read: (at: PagePosition | undefined) => ReturnType<typeof readPage>,
): Promise<{ found: OptionList["options"]; next: PagePosition | undefined }> {
  const wanted = options.search ? "" : search.trim().toLowerCase();
  const found: OptionList["options"] = [];
  let next = start;
  for (let pages = 1; ; pages += 1) {
    const page = await read(next);
    for (const [index, item] of page.items.entries()) {
      const value = fill(options.value, { item, index });
      const label = fillText(options.label, { item, index });
      if ((typeof value === "string" || typeof value === "number") && label.toLowerCase().includes(wanted))
        found.push({ value, label });
    }
    next = page.next;
    if (next === undefined || wanted === "" || found.length > 0 || pages === PAGES_PER_SEARCH) break;
  }
  return { found, next };
}

/** Some vendors name a next page with the credential in its query. It is added again when that page is read. */
function toCursor(next: PagePosition | undefined, redactor: Redactor): string | null {
  if (next === undefined) return null;
  const position = next.url === undefined ? next : { ...next, url: withoutSecrets(next.url, redactor) };
  // Elsewhere it cannot be left out: the list ends here.
  if (redactor.value(position) !== position) return null;
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function withoutSecrets(address: string, redactor: Redactor): string {
  const url = new URL(address);
  for (const [name, value] of new URLSearchParams(url.search))
    if (redactor.text(value) !== value) url.searchParams.delete(name);
  return url.href;
}

/** The host of an address in it is checked like any other before the credential is sent. */
function readCursor(cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const value = parseJsonText(Buffer.from(cursor, "base64url").toString("utf8"));
  if (
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    ("url" in value && !isWebAddress(value["url"]))
  )
    throw invalidRequest(
      "The cursor does not belong to this list. Use nextCursor of its last response, or leave it out.",
    );
  // Nothing else of a page is the client's to choose: the rest would replace values of the request.
  const { cursor: at, url, page, offset } = value as PagePosition;
  return {
    ...(at !== undefined && { cursor: at }),
    ...(url !== undefined && { url }),
    ...(typeof page === "number" && { page }),
    ...(typeof offset === "number" && { offset }),
  };
}

function isWebAddress(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

/** Codes of steps have no status of their own. What the vendor said is for the user to read. */
function toRouteError(error: unknown): unknown {
  const isVendors = error instanceof AppError && STEP_CODES.has(error.code);
  return isVendors ? new AppError("fetch_failed", error.message, { cause: error }) : error;
}
