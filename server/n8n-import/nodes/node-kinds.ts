import { aiNodes } from "./ai-nodes.ts";
import { appNodes } from "./apps/app-nodes.ts";
import { codeNodes } from "./code-nodes.ts";
import { fieldNodes } from "./field-nodes.ts";
import { fileNodes } from "./file-nodes.ts";
import { flowNodes } from "./flow/flow-nodes.ts";
import { httpNodes } from "./http-nodes.ts";
import { listNodes } from "./list-nodes.ts";
import { sqlNodes } from "./sql-nodes.ts";
import { storageNodes } from "./storage-nodes.ts";
import type { SourceNode } from "../source/source.ts";
import type { NodeKind } from "./node-context.ts";

const kinds: ReadonlyMap<string, NodeKind> = new Map(
  [
    flowNodes,
    fieldNodes,
    listNodes,
    codeNodes,
    httpNodes,
    sqlNodes,
    storageNodes,
    fileNodes,
    aiNodes,
    appNodes,
  ].flatMap((family) => Object.entries(family)),
);

/** How a node is converted; undefined for one without a counterpart. */
export function kindOf({ kind }: SourceNode): NodeKind | undefined {
  return kinds.get(kind);
}
