import { at, entriesAt, textOf } from "../../source/parameters.ts";
import { jsonValue } from "../json-value.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

function respond(tools: Tools): Converted {
  const { parameters } = tools;
  const kind = textOf(parameters["respondWith"]) || "firstIncomingItem";
  const headers = Object.fromEntries(
    entriesAt(parameters, "options", "responseHeaders", "entries").map((each, index) => [
      textOf(each["name"]).toLowerCase(),
      tools.text(each["value"], `options.responseHeaders.${index}.value`),
    ]),
  );
  const status = at(parameters, "options", "responseCode") ?? (kind === "redirect" ? 302 : undefined);
  if (kind === "redirect") headers["location"] = tools.text(parameters["redirectURL"], "redirectURL");
  const body =
    kind === "noData" || kind === "redirect"
      ? undefined
      : kind === "text"
        ? tools.text(parameters["responseBody"], "responseBody")
        : kind === "json"
          ? jsonValue(tools, parameters["responseBody"], "responseBody")
          : kind === "allIncomingItems"
            ? tools.items()
            : tools.current();
  if (kind === "binary" || kind === "jwt")
    tools.check("The kind of the response is not supported; it sends JSON.");
  tools.check(
    "Turn on the custom response of the trigger, with this step as the response step. The run goes on before its caller is answered only in n8n.",
  );
  return {
    step: {
      type: "transform",
      template: {
        ...(status !== undefined && { statusCode: tools.value(status, "options.responseCode") }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== undefined && { body }),
      },
    },
  };
}

export const respondNode: NodeKind = { flow: () => ({ takes: "all", passes: true }), convert: respond };
