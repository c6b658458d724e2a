import { isAllowedHeader } from "../../../endpoints/custom-response.ts";
import { firstOf } from "../../data/data.ts";
import { at, entriesAt, textOf } from "../../source/parameters.ts";
import { createArrivingValues } from "../arriving-values.ts";
import { jsonValue } from "../json-value.ts";
import { keysOf } from "../list-code.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";

/** What n8n sends when the file has no body: it leaves out a parameter with its default. */
const DEFAULT_JSON = '{"myField": "value"}';

function respond(context: NodeContext): Converted {
  const { parameters } = context;
  const kind = textOf(parameters["respondWith"]) || "firstIncomingItem";
  const body = bodyOf(context, kind);
  const headers = headersOf(context, contentTypeOf(kind, body));
  const status = at(parameters, "options", "responseCode") ?? (kind === "redirect" ? 307 : undefined);
  if (kind === "redirect") headers["location"] = context.text(parameters["redirectURL"], "redirectURL");
  if (kind === "binary" || kind === "jwt")
    context.check("The kind of the response is not supported; it sends JSON.");
  return {
    step: {
      type: "transform",
      template: {
        ...(status !== undefined && { statusCode: context.value(status, "options.responseCode") }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== undefined && { body }),
      },
    },
  };
}

function bodyOf(context: NodeContext, kind: string): unknown {
  const { parameters, scope } = context;
  switch (kind) {
    case "noData":
    case "redirect":
      return undefined;
    case "text":
      return context.text(parameters["responseBody"], "responseBody");
    case "json":
      return jsonValue(context, parameters["responseBody"] ?? DEFAULT_JSON, "responseBody");
    case "allIncomingItems":
      context.checkWhole();
      return inField(context, context.items());
    default: {
      const first = createArrivingValues(scope.current.map(firstOf), context.check);
      first.checkWhole();
      return inField(context, first.current());
    }
  }
}

/** “Put Response in Field”. */
function inField({ parameters }: NodeContext, body: unknown): unknown {
  const key = textOf(at(parameters, "options", "responseKey"));
  return keysOf(key).reduceRight<unknown>((inner, name) => ({ [name]: inner }), body);
}

/** Where n8n sends another type than a text or a value has here. */
function contentTypeOf(kind: string, body: unknown): string | undefined {
  if (kind === "text") return "text/html; charset=utf-8";
  return kind === "json" && typeof body === "string" ? "application/json; charset=utf-8" : undefined;
}

function headersOf(context: NodeContext, contentType: string | undefined): Record<string, string> {
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
  const left: string[] = [];
  for (const [index, { name, value }] of entriesAt(
    context.parameters,
    "options",
    "responseHeaders",
    "entries",
  ).entries()) {
    const header = textOf(name).replace(/^=/, "").trim().toLowerCase();
    if (isAllowedHeader(header))
      headers[header] = headerValue(header, context.text(value, `options.responseHeaders.${index}.value`));
    else if (header !== "") left.push(header.slice(0, 60));
  }
  // A run with one of them would end without a response.
  if (left.length > 0)
    context.check(`Responses cannot have these headers: ${left.slice(0, 5).join(", ")}. They are left out.`);
  return headers;
}

/** n8n names the character set of every type. */
export function headerValue(name: string, value: string): string {
  const isType = name === "content-type" && value !== "" && !/charset|\{\{/i.test(value);
  return isType ? `${value}; charset=utf-8` : value;
}

export const respondNode: NodeKind = { flow: () => ({ takes: "all", passes: true }), convert: respond };
