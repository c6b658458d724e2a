import type { RunnableWorkflow } from "../engine/engine-api.ts";

/** A workflow as the public address leads to it. */
export interface Endpoint {
  workflow: RunnableWorkflow;
  authentication: boolean;
  sync: boolean;
  /** The owner's active key that the caller has shown, if it is one. */
  keyId: string | undefined;
}

/** A key as a caller shows it, at a time. */
export interface PresentedKey {
  hash: string;
  at: number;
}

/** What answering about a task needs to know of its workflow's endpoint. */
export interface EndpointSettings {
  enabled: boolean;
  authentication: boolean;
}

export interface EndpointStore {
  /** By id, then by slug. Undefined: there is none, or it is switched off. The key is asked for in the same breath. */
  find(idOrSlug: string, key?: PresentedKey): Promise<Endpoint | undefined>;
  /** Undefined when the workflow is gone. */
  settings(workflowId: string): Promise<EndpointSettings | undefined>;
  /** The newest version of the owner's own workflow, ready for the engine. Undefined when it is gone. */
  runnable(workflowId: string, ownerId: string): Promise<RunnableWorkflow | undefined>;
  /** A version as it was, also of a workflow that is gone: its tasks still run it. */
  atVersion(workflowId: string, version: number): Promise<RunnableWorkflow>;
  /** The same without a query once it is loaded; the name and the response step are those of the first load. */
  cachedVersion(workflowId: string, version: number): Promise<RunnableWorkflow>;
}
