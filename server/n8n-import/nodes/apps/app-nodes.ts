import { apps } from "../../../../apps/all.ts";
import { at, locatorOf, textOf, lookUp } from "../../source/parameters.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";
import { parametersLeft } from "../options-left.ts";
import type { ActionMap, AppMap } from "./app-map.ts";
import { googleApps } from "./google-apps.ts";
import { issueApps } from "./issue-apps.ts";
import { messageApps } from "./message-apps.ts";
import { recordApps } from "./record-apps.ts";

const APPS: Readonly<Record<string, AppMap>> = { ...googleApps, ...messageApps, ...recordApps, ...issueApps };

/** The whole `resource:operation`; parts that the file leaves out are the usual ones. */
function operationOf(
  { standard, actions }: AppMap,
  { resource, operation }: Readonly<Record<string, unknown>>,
): string {
  const [usualResource = "", usualOperation = ""] = standard.split(":");
  const chosen = textOf(resource) || usualResource;
  if (textOf(operation) !== "") return `${chosen}:${textOf(operation)}`;
  if (chosen === usualResource) return `${chosen}:${usualOperation}`;
  const usual: Readonly<Record<string, string>> = { fileFolder: "search", issueComment: "add" };
  return Object.keys(actions).find((key) => key === `${chosen}:${usual[chosen] ?? "create"}`) ?? `${chosen}:`;
}

function actionOf(node: NodeContext["node"]): { map: AppMap; action: ActionMap } | undefined {
  const map = lookUp(APPS, node.kind);
  if (map === undefined) return undefined;
  const key = operationOf(map, node.parameters);
  const action = lookUp(map.actions, key);
  return action === undefined ? undefined : { map, action };
}

function isListAction(app: string, action: string): boolean {
  return apps.find(({ id }) => id === app)?.actions[action]?.items !== undefined;
}

/** Apps whose lists have the fields that a person named. */
const HAS_ROWS = new Set(["google-sheets", "supabase"]);

function convert(context: NodeContext): Converted {
  const { parameters, node } = context;
  if (textOf(parameters["operation"]) === "sendAndWait") {
    context.check("Becomes an approval. Check who is asked.");
    return {
      step: { type: "approval", message: context.text(parameters["message"], "message") || node.name },
    };
  }
  const found = actionOf(node);
  if (found === undefined) return { step: undefined };
  const { map, action } = found;
  context.app(map.app);
  const connection = context.connection("app", map.app);
  const fields = apps.find(({ id }) => id === map.app)?.actions[action.action]?.input ?? {};
  const input: Record<string, unknown> = {};
  for (const [field, parameter] of Object.entries(action.input ?? {})) {
    const given = typeof parameter === "function" ? parameter(context) : parameterValue(context, parameter);
    if (given === undefined || given === "" || given === null) continue;
    const type = fields[field]?.type;
    const isListOfTexts = type === "array" && !Array.isArray(given) && !String(given).includes("{{");
    input[field] = isListOfTexts
      ? [given]
      : type === "string" && typeof given === "number"
        ? String(given)
        : given;
  }
  parametersLeft(context, [...namesRead(action), ...HARMLESS, ...READ_BY_INPUTS]);
  return {
    step: {
      type: "app",
      app: map.app,
      action: action.action,
      ...(connection !== undefined && { connection }),
      input,
    },
    output: { path: [], isExact: HAS_ROWS.has(map.app) && isListAction(map.app, action.action) },
  };
}

/** Parameters that inputs with a function of their own read. */
const READ_BY_INPUTS = [
  "sheetName",
  "range",
  "columns",
  "fieldsUi",
  "filtersUI",
  "dataMode",
  "dataToSend",
  "emailType",
  "message",
  "bodyContent",
  "title",
  "blockUi",
  "name",
  "url",
];

/** Options without an effect on what is sent. */
const HARMLESS = ["appendAttribution", "bodyContentType", "cellFormat", "includeLinkToWorkflow"];

function namesRead({ input = {}, reads = [] }: ActionMap): string[] {
  const named = Object.values(input).flatMap((parameter) =>
    typeof parameter === "function" ? [] : [parameter].flat(),
  );
  return [...named, ...reads];
}

function parameterValue(context: NodeContext, names: string | readonly string[]): unknown {
  for (const name of [names].flat()) {
    const given = locatorOf(at(context.parameters, ...name.split(".")));
    if (given !== undefined && given !== "" && given !== null) return context.value(given, name);
  }
  return undefined;
}

const flow: NodeKind["flow"] = (node) => {
  const found = actionOf(node);
  return {
    takes: "item",
    gives: found !== undefined && isListAction(found.map.app, found.action.action) ? "list" : "one",
  };
};

export const appNodes: Readonly<Record<string, NodeKind>> = Object.fromEntries(
  Object.keys(APPS).map((kind) => [kind, { flow, convert }]),
);
