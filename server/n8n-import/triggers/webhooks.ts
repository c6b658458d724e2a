import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import { at, listOf, textOf } from "../source/parameters.ts";
import type { SourceNode } from "../source/source.ts";

/** When n8n responds: at once, after the last node, or at a node; undefined for another trigger. */
export function responseModeOf(node: SourceNode | undefined): string | undefined {
  if (node?.kind !== "webhook") return undefined;
  return textOf(node.parameters["responseMode"]) || "onReceived";
}

const SUPPORTED_METHODS = new Set(["GET", "POST"]);

export function webhookOf(node: SourceNode): Omit<N8nTrigger, "node" | "kind"> {
  const { parameters } = node;
  const mode = responseModeOf(node);
  const isCustom = mode === "responseNode" || mode === "lastNode";
  const given = parameters["httpMethod"];
  const methods = Array.isArray(given) ? listOf(given).map(textOf) : [textOf(given) || "GET"];
  const path = textOf(parameters["path"]);
  const notes = [
    isCustom
      ? "Add a webhook with a custom response. Its URL and its secret are new: give them to the sender."
      : "Add a webhook. Its URL and its secret are new: give them to the sender.",
    ...(mode === "streaming" ? ["The response is not streamed: add a custom response."] : []),
    ...(!isCustom && hasOwnResponse(parameters)
      ? ["The sender gets the id of the run, and not the response of the node."]
      : []),
    ...(methods.every((method) => SUPPORTED_METHODS.has(method))
      ? []
      : ["A webhook takes GET and POST here."]),
    ...(methods.length > 1 ? ["n8n has an output for each method. Here all of them lead on."] : []),
    ...(["", "none"].includes(textOf(parameters["authentication"]))
      ? []
      : ["Its login is not imported: the sender uses the secret of the webhook."]),
    ...optionNotes(parameters),
    ...(path.includes(":") ? ["A path has no parameters here: send them in the query."] : []),
  ];
  return {
    result: "check",
    method: methods.join(", "),
    path,
    ...(isCustom && { customResponse: true }),
    note: notes.join(" "),
  };
}

const OPTION_NOTES: Readonly<Record<string, string>> = {
  rawBody: "A step reads the parsed body here, and not its bytes.",
  binaryData: "Files in the body are part of the input: choose them in the steps that read a file.",
  ipWhitelist: "The addresses of senders are not limited here.",
  ignoreBots: "Calls of bots are not ignored here.",
};

function optionNotes(parameters: SourceNode["parameters"]): string[] {
  return Object.entries(OPTION_NOTES).flatMap(([name, note]) => {
    const value = at(parameters, "options", name);
    return value === undefined || value === "" || value === false ? [] : [note];
  });
}

/** The node names a status or a body of its own for the response at once. */
function hasOwnResponse(parameters: SourceNode["parameters"]): boolean {
  const options = parameters["options"];
  const own = [
    parameters["responseCode"],
    parameters["responseData"],
    at(options, "responseCode"),
    at(options, "responseData"),
    at(options, "noResponseBody"),
  ];
  return own.some((value) => value !== undefined && value !== "" && value !== 200 && value !== false);
}
