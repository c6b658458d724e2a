import {
  type ChangeExposure,
  type Exposure,
  type ExposureKind,
  type ExposureQuery,
  type Protocol,
  PROTOCOLS_OF,
} from "../../contract/exposures.ts";
import type { InputSchema } from "../../contract/input/input-field.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import type { ResultPage } from "../lib/result-page.ts";
import { firstFreeName, toExposedName } from "./exposed-name.ts";
import type { ExposedRow, ExposureRow, ExposureStore } from "./exposure.sql.ts";

/** A record as the clients of a protocol see it. */
export interface ExposedRecord {
  ownerId: string;
  kind: ExposureKind;
  recordId: string;
  /** The tool or model name: unique among the records of one owner. */
  name: string;
  title: string;
  description: string;
  /** From the live version of a workflow; undefined when it declares none. */
  inputSchema: InputSchema | undefined;
  exposedAt: number;
  /** The live version, ready for `engine.start`; only for the kind `workflow`. */
  workflow: RunnableWorkflow | undefined;
}

export type Exposures = ReturnType<typeof createExposures>;

const DOCUMENTS_NAME = "search_documents";
const DOCUMENTS_DESCRIPTION = "Search the documents of this account.";

/** What clients of other protocols may use. The protocols ask here for every request, so a switch takes effect at once. */
export function createExposures({ store, clock }: { store: ExposureStore; clock: Clock }) {
  /** Another record may take the name between the check and the write; then the next free one is tried. */
  async function saveWithFreeName(
    ownerId: string,
    current: ExposureRow,
    change: Omit<ChangeExposure, "name">,
  ): Promise<void> {
    const wanted = suggestedName(current);
    for (;;) {
      const text = current.name ?? firstFreeName(wanted, await store.namesLike(ownerId, wanted));
      if (await store.save(ownerId, toChange(current, change, { text, isGiven: false }))) return;
      // A deleted record throws here.
      current = await store.get(ownerId, current.kind, current.recordId);
    }
  }

  function toChange(
    { kind, recordId }: ExposureRow,
    { mcp, a2a, chat, description }: ChangeExposure,
    name: { text: string; isGiven: boolean },
  ) {
    const stored = description === undefined ? undefined : description?.trim() || null;
    return { kind, recordId, mcp, a2a, chat, description: stored, name, now: clock.now() };
  }

  return {
    /** Live records with this protocol switched on, by name. */
    async list(ownerId: string, protocol: Protocol): Promise<ExposedRecord[]> {
      return (await store.exposed(ownerId, protocol)).map((row) => toRecord(ownerId, row));
    },

    /** Undefined when no live record of this owner has the name and the protocol switched on. */
    async find(ownerId: string, protocol: Protocol, name: string): Promise<ExposedRecord | undefined> {
      const [row] = await store.exposed(ownerId, protocol, name);
      return row === undefined ? undefined : toRecord(ownerId, row);
    },

    /** By id, for protocols whose address names the workflow and not its owner. */
    async findWorkflow(protocol: Protocol, workflowId: string): Promise<ExposedRecord | undefined> {
      const row = await store.exposedWorkflow(protocol, workflowId);
      return row?.workflow === undefined ? undefined : toRecord(row.workflow.ownerId, row);
    },

    /** Every record that can be exposed, with its switches. */
    async listAll(ownerId: string, query: ExposureQuery): Promise<ResultPage<Exposure>> {
      const { items, nextCursor } = await store.list(ownerId, query);
      return { items: items.map(toExposure), nextCursor };
    },

    /** Throws `<kind>_not_found`, `forbidden` or `invalid_request`. */
    get: async (ownerId: string, kind: ExposureKind, recordId: string): Promise<Exposure> =>
      toExposure(await store.get(ownerId, kind, recordId)),

    /** Throws `<kind>_not_found`, `forbidden`, `name_taken` or `invalid_request`. */
    async change(
      ownerId: string,
      kind: ExposureKind,
      recordId: string,
      { name, ...change }: ChangeExposure,
    ): Promise<Exposure> {
      const current = await store.get(ownerId, kind, recordId);
      assertSupported(kind, change);
      if (name === undefined) await saveWithFreeName(ownerId, current, change);
      else if (!(await store.save(ownerId, toChange(current, change, { text: name, isGiven: true }))))
        throw new AppError(
          "name_taken",
          `Another record of your workspace is called ${name}. Choose another name.`,
        );
      return toExposure(await store.get(ownerId, kind, recordId));
    },
  };
}

function assertSupported(kind: ExposureKind, change: ChangeExposure): void {
  for (const protocol of ["mcp", "a2a", "chat"] as const) {
    if (change[protocol] === undefined || PROTOCOLS_OF[kind].includes(protocol)) continue;
    if (kind === "team" && change.a2a === true) continue;
    const message =
      kind === "team"
        ? "A team is always an A2A agent: its secret decides who may use it."
        : `The kind ${kind} cannot be exposed over ${protocol}.`;
    throw invalidRequest(message, [{ path: protocol, message: "is not available" }]);
  }
}

function suggestedName({ kind, title, slug }: ExposureRow): string {
  return kind === "documents" ? DOCUMENTS_NAME : toExposedName(slug ?? title, kind);
}

function descriptionOf({ kind, customDescription, recordDescription }: ExposureRow): string {
  return customDescription ?? (kind === "documents" ? DOCUMENTS_DESCRIPTION : recordDescription);
}

function toExposure(row: ExposureRow): Exposure {
  const { kind, recordId, title, customDescription, mcp, a2a, chat, paused } = row;
  return {
    kind,
    recordId,
    title,
    name: row.name ?? suggestedName(row),
    description: descriptionOf(row),
    customDescription,
    mcp,
    a2a: a2a || kind === "team",
    chat,
    protocols: [...PROTOCOLS_OF[kind]],
    ...(paused && { paused }),
  };
}

function toRecord(ownerId: string, row: ExposedRow): ExposedRecord {
  const { kind, recordId, name, title, exposedAt, workflow } = row;
  return {
    ownerId,
    kind,
    recordId,
    name,
    title,
    description: descriptionOf(row),
    exposedAt,
    inputSchema: workflow?.graph.inputSchema,
    workflow,
  };
}
