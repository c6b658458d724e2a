import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { listOf, numberOf, recordOf, textOf } from "./parameters.ts";

/** A node of an n8n file. Every property of the file may be missing or of another type. */
export interface SourceNode {
  name: string;
  /** As in the file: `n8n-nodes-base.httpRequest`. */
  type: string;
  /** The type without its package; empty for nodes of other packages. */
  kind: string;
  version: number;
  parameters: Readonly<Record<string, unknown>>;
  position: { x: number; y: number };
  disabled: boolean;
  notes: string;
  retries: number;
  onError: "stop" | "continue" | "error_output";
  once: boolean;
  /** Gives an empty item in place of none. */
  alwaysGives: boolean;
  /** The name of the first credential; n8n exports no secrets of credentials. */
  credential: string | undefined;
  /** An HTTP request whose response is a list: n8n runs the next nodes once for each entry. */
  respondsWithList?: boolean;
}

/** A line between two nodes, by name. */
export interface SourceLink {
  from: string;
  output: number;
  to: string;
  input: number;
}

export interface SourceWorkflow {
  name: string;
  n8nVersion: string | undefined;
  timezone: string | undefined;
  /** Settings of the workflow that have no place in a draft, as sentences. */
  settings: string[];
  nodes: SourceNode[];
  stickyNotes: SourceNode[];
  links: SourceLink[];
  /** Lines of sub-nodes, such as a model of an agent: from the sub-node to its root. */
  parts: { from: string; to: string; kind: string }[];
  /** The number of lines over the limit, by the node where they begin. */
  linesLeftOut: ReadonlyMap<string, number>;
}

/** Lines that are read of a file. */
export const MAX_LINKS = 2000;
const MAX_NAME = 200;
const OWN_PACKAGES = /^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.(.{1,100})$/;

/** Reads any JSON; what has the wrong type counts as missing. */
export function readWorkflow(file: Readonly<Record<string, unknown>>): SourceWorkflow {
  const all = uniqueNames((file["nodes"] as unknown[]).filter(isRecord).map(readNode));
  const nodes = all.filter(({ kind }) => kind !== "stickyNote");
  const meta = recordOf(file["meta"]);
  const settings = recordOf(file["settings"]);
  return {
    name: textOf(file["name"]).trim().slice(0, MAX_NAME) || "Imported workflow",
    n8nVersion: textOf(meta["n8nVersion"] ?? file["n8nVersion"]).slice(0, 40) || undefined,
    timezone: timezoneOf(settings["timezone"]),
    settings: settingsLeft(settings),
    nodes,
    stickyNotes: all.filter(({ kind }) => kind === "stickyNote"),
    ...readLinks(recordOf(file["connections"]), nodes),
  };
}

function settingsLeft(settings: Readonly<Record<string, unknown>>): string[] {
  const timeout = numberOf(settings["executionTimeout"]) ?? 0;
  return [
    ...(textOf(settings["errorWorkflow"]) === ""
      ? []
      : ["n8n runs an error workflow when this one fails: choose it in the settings of the workflow."]),
    ...(timeout > 0 ? [`n8n stops a run after ${timeout} s: set the time limits of the steps.`] : []),
  ];
}

/** `DEFAULT` is the time zone of the n8n server, which the file does not name. */
function timezoneOf(value: unknown): string | undefined {
  const name = textOf(value);
  return /^[A-Za-z]{2,}[A-Za-z0-9_+/-]{0,60}$/.test(name) && name !== "DEFAULT" ? name : undefined;
}

function readNode(node: Record<string, unknown>): SourceNode {
  const type = textOf(node["type"]).slice(0, MAX_NAME);
  const [x, y] = listOf(node["position"]);
  const onError = node["onError"];
  return {
    name: textOf(node["name"]).slice(0, MAX_NAME) || "Node",
    type,
    kind: OWN_PACKAGES.exec(type)?.[1] ?? "",
    version: numberOf(node["typeVersion"]) ?? 1,
    parameters: recordOf(node["parameters"]),
    position: { x: coordinate(x), y: coordinate(y) },
    disabled: node["disabled"] === true,
    notes: textOf(node["notes"]).slice(0, 2000),
    retries: node["retryOnFail"] === true ? triesOf(node["maxTries"]) - 1 : 0,
    onError:
      onError === "continueErrorOutput"
        ? "error_output"
        : onError === "continueRegularOutput" || node["continueOnFail"] === true
          ? "continue"
          : "stop",
    once: node["executeOnce"] === true,
    alwaysGives: node["alwaysOutputData"] === true,
    credential: credentialName(recordOf(node["credentials"])),
  };
}

/** n8n tries at least twice, and at most five times. */
function triesOf(given: unknown): number {
  return Math.min(5, Math.max(2, Math.trunc(numberOf(given) || 3)));
}

/** Lines refer to nodes by name: of two nodes with one name, the second gets another and no lines. */
function uniqueNames(nodes: SourceNode[]): SourceNode[] {
  const used = new Set<string>();
  return nodes.map((node) => {
    let { name } = node;
    for (let number = 2; used.has(name); number++) name = `${node.name} (${number})`;
    used.add(name);
    return { ...node, name };
  });
}

function readLinks(
  connections: Readonly<Record<string, unknown>>,
  nodes: readonly SourceNode[],
): Pick<SourceWorkflow, "links" | "parts" | "linesLeftOut"> {
  const known = new Set(nodes.map(({ name }) => name));
  const links: SourceLink[] = [];
  const parts: SourceWorkflow["parts"] = [];
  const linesLeftOut = new Map<string, number>();
  for (const [from, byKind] of Object.entries(connections)) {
    if (!known.has(from) || !isRecord(byKind)) continue;
    for (const [kind, outputs] of Object.entries(byKind))
      for (const [output, ends] of listOf(outputs).entries())
        for (const end of listOf(ends).filter(isRecord)) {
          const to = textOf(end["node"]);
          if (!known.has(to)) continue;
          if (links.length + parts.length >= MAX_LINKS) {
            linesLeftOut.set(from, (linesLeftOut.get(from) ?? 0) + 1);
            continue;
          }
          const input = Math.max(0, Math.trunc(numberOf(end["index"]) ?? 0));
          if (kind === "main") links.push({ from, output, to, input });
          else parts.push({ from, to, kind });
        }
  }
  return { links, parts, linesLeftOut };
}

function credentialName(credentials: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = Object.values(credentials);
  return isRecord(first) ? textOf(first["name"]).slice(0, MAX_NAME) || undefined : undefined;
}

function coordinate(value: unknown): number {
  const number = numberOf(value) ?? 0;
  return Math.abs(number) <= 1_000_000 ? Math.round(number) : 0;
}

/** Of `Loop Over Items`. */
export function batchSizeOf({ parameters, version }: SourceNode): number {
  const given = parameters["batchSize"];
  const written =
    typeof given === "string" && /^=?\d{1,6}$/.test(given) ? Number(given.replace("=", "")) : given;
  return Math.max(1, Math.trunc(numberOf(written) ?? (version >= 3 ? 1 : 10)));
}
