import type { Graph } from "../../contract/graph.ts";
import type { StepResult, StepStatus, Task, TaskStatus, TaskSummary } from "../../contract/tasks.ts";
import type { Template as WireTemplate } from "../../contract/templates.ts";
import type { Workflow as WireWorkflow, WorkflowVersion as WireVersion } from "../../contract/workflows.ts";
import type { ItemOf } from "./responses.ts";

export type { Graph, StepResult, StepStatus, Task, TaskStatus, TaskSummary };

/** The contract leaves steps and edges untyped; a stored graph has passed the validator. */
export type Workflow = Omit<WireWorkflow, "metadata"> & { metadata: Graph };
export type WorkflowVersion = Omit<WireVersion, "metadata"> & { metadata: Graph };
export type Template = Omit<WireTemplate, keyof Graph> & Graph;
/** A workflow without its graph, as lists return it. */
export type WorkflowHead = Omit<Workflow, "metadata">;
export type VersionHead = ItemOf<"versions">;
