import type { NodeContext } from "../node-context.ts";

/** The parameter of n8n, or several of which one is given. */
export type Parameter = string | readonly string[] | ((context: NodeContext) => unknown);

export interface ActionMap {
  action: string;
  /** By the field of the action. */
  input?: Readonly<Record<string, Parameter>>;
  /** Options, or groups of them, that functions among the inputs read. */
  reads?: readonly string[];
}

/** The actions of an app, by the resource and operation of n8n. */
export interface AppMap {
  app: string;
  /** `resource:operation` that n8n leaves out of the file. */
  standard: string;
  actions: Readonly<Record<string, ActionMap>>;
}
