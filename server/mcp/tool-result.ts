import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { serialize } from "../lib/serialize-json.ts";
import { type Result, TASK_ID } from "./protocol.ts";
import type { Run } from "./runs.ts";

/** The result of a tool call, in the shape that both protocol versions share. */
export interface ToolResult extends Result {
  content: readonly unknown[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export function toolError(message: string, meta?: Record<string, unknown>): ToolResult {
  return { content: [text(message)], isError: true, ...(meta && { _meta: meta }) };
}

export function metaOf(runId: string): Record<string, unknown> {
  return { [TASK_ID]: runId };
}

/** The result of a run that has ended. */
export async function resultOf(run: Run): Promise<ToolResult> {
  const meta = metaOf(run.id);
  if (run.status === "cancelled") return toolError(`The run ${run.id} was cancelled.`, meta);
  if (run.status === "failed")
    return toolError(`The run failed: ${run.error?.message ?? "no reason is recorded."}`, {
      ...meta,
      ...(run.error !== null && { "baton/error": run.error.code }),
    });
  return { ...(await outputContent(run.output)), _meta: meta };
}

/** The result for a client that stops waiting: the run continues. */
export function pendingResult(run: Run, runUrl: string): ToolResult {
  const meta = { ...metaOf(run.id), "baton/url": runUrl };
  if (run.status !== "waiting_approval")
    return toolError(`The run ${run.id} has not ended yet and continues. Its state: ${runUrl}`, meta);
  return {
    content: [
      text(`The run ${run.id} waits for the approval of a person. Approve or reject it at ${runUrl}`),
    ],
    structuredContent: { status: run.status, taskId: run.id, url: runUrl },
    _meta: meta,
  };
}

/** Text for the model, and the value itself. An output of MCP content blocks is passed on as it is. */
export async function outputContent(
  output: JsonValue,
): Promise<Pick<ToolResult, "content" | "structuredContent">> {
  const blocks = contentBlocks(output);
  if (blocks !== undefined) return { content: blocks };
  return {
    content: [text(typeof output === "string" ? output : await serialize(output, { indent: true }))],
    structuredContent: isRecord(output) ? output : { output },
  };
}

/** `{content: [block, …]}`, the shape of an MCP result: how a workflow returns images, audio or files. */
function contentBlocks(output: JsonValue): readonly unknown[] | undefined {
  if (!isRecord(output) || Object.keys(output).length !== 1) return undefined;
  const { content } = output;
  return Array.isArray(content) && content.length > 0 && content.every(isContentBlock) ? content : undefined;
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

function isContentBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  if (block["type"] === "resource") return isResource(block["resource"]);
  return REQUIRED[String(block["type"])]?.every((field) => typeof block[field] === "string") ?? false;
}

function isResource(resource: unknown): boolean {
  if (!isRecord(resource) || typeof resource["uri"] !== "string") return false;
  return typeof resource["text"] === "string" || typeof resource["blob"] === "string";
}

function text(value: string): { type: "text"; text: string } {
  return { type: "text", text: value };
}
