import { aiNodes } from "./nodes/ai.ts";
import { appNodes } from "./nodes/apps.ts";
import { codeNodes } from "./nodes/code.ts";
import { fieldNodes } from "./nodes/fields.ts";
import { fileNodes } from "./nodes/files.ts";
import { flowNodes } from "./nodes/flow.ts";
import { httpNodes } from "./nodes/http.ts";
import { listNodes } from "./nodes/lists.ts";
import { storeNodes } from "./nodes/stores.ts";
import type { SourceNode } from "./source.ts";
import type { NodeKind } from "./tools.ts";

const kinds: ReadonlyMap<string, NodeKind> = new Map(
  [flowNodes, fieldNodes, listNodes, codeNodes, httpNodes, storeNodes, fileNodes, aiNodes, appNodes].flatMap(
    (family) => Object.entries(family),
  ),
);

/** How a node is converted; undefined for one without a counterpart. */
export function kindOf({ kind }: SourceNode): NodeKind | undefined {
  return kinds.get(kind);
}
