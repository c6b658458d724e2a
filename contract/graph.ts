import * as z from "zod";
import type { InputSchema } from "./input/input-field.ts";

/**
 * A workflow is a graph of steps joined by edges. These types describe stored graphs, which may have unknown
 * fields; `graph/validate.ts` reports their problems.
 */
export type Step = { stepId: string; type: string } & Record<string, unknown>;
export type Edge = { id?: string | undefined; source: string; target: string } & Record<string, unknown>;

/** A sticky note on the canvas, for people: runs ignore it. */
export const noteSchema = z
  .object({
    id: z.string().min(1).max(100),
    text: z.string().max(10_000),
    position: z.object({ x: z.number(), y: z.number() }),
    width: z.number().min(80).max(2000).optional(),
    height: z.number().min(40).max(2000).optional(),
    color: z.string().max(30).optional(),
  })
  .meta({ id: "Note" });
export type Note = z.infer<typeof noteSchema>;

export interface Graph {
  steps: Step[];
  edges: Edge[];
  notes?: Note[] | undefined;
  /** The fields of the input: runs are checked against it. */
  inputSchema?: InputSchema | undefined;
}

export const errorCodes = [
  "missing_step_id",
  "duplicate_step_id",
  "unknown_step_type",
  "missing_field",
  "invalid_field",
  "duplicate_edge_id",
  "unknown_edge_source",
  "unknown_edge_target",
  "self_edge",
  "cycle",
  "unknown_reference",
  "forward_reference",
] as const;

export const warningCodes = [
  "missing_edge_id",
  "unreachable_step",
  "disconnected_step",
  "unused_branch",
  "implicit_dependency",
  "no_edges",
  "self_call",
  "ambiguous_step_id",
  "misspelled_field",
  "to_check",
] as const;

/** Warnings about what is stored beside the graph. Only the service knows it, not the validator of the graph. */
const recordWarningCodes = [
  "unknown_response_step",
  "response_step_never_runs",
  "unknown_mcp_server",
  "unknown_mcp_tool",
  "unknown_connection",
  "unknown_variable",
  "unknown_app",
  "unknown_app_action",
  "unknown_provider",
  "template_literal",
] as const;

export const problemSchema = z
  .object({
    code: z.enum([...errorCodes, ...warningCodes, ...recordWarningCodes]),
    message: z.string(),
    stepId: z.string().optional(),
    edgeId: z.string().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;

export interface Validation {
  valid: boolean;
  errors: Problem[];
  warnings: Problem[];
}
