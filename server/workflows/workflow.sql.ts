import type { FormSettings } from "../../contract/forms.ts";
import type { ApiSettings, RunSettings, WorkflowFilter } from "../../contract/workflows.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue, Statement } from "../storage/db.ts";
import { AFTER_EVERY_ID, sizedPage } from "../storage/paging.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { isReservedForOthers, reserveNames } from "../storage/name-reservations.ts";
import { removeDraftUses, removeUses, replaceUses } from "./workflow-use.sql.ts";
import { createVersionStore, insertVersion, type LooseGraph, type VersionRecord } from "./version.sql.ts";
import { HAS_DRAFT_REVISION, lockDraft, removePublished } from "./publish-draft.sql.ts";

export interface WorkflowRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  version: number;
  metadata: LooseGraph;
  apiSettings: ApiSettings;
  settings?: RunSettings | undefined;
  form?: FormSettings | undefined;
  active: boolean;
  folder: string;
  tags: string[];
  /** False while the live version has no steps. */
  published?: false;
  createdAt: number;
  updatedAt: number;
  draft?: DraftSummary | undefined;
}

export interface DraftSummary {
  revision: number;
  baseVersion: number;
  updatedAt: number;
}

/** Without the graph, which is most of a large workflow. */
export type WorkflowSummary = Omit<WorkflowRecord, "metadata">;

export type SaveOutcome = "stored" | "slug_taken" | "outdated";

export type WorkflowStore = ReturnType<typeof createWorkflowStore>;

const SUMMARY_COLUMNS = [
  "id",
  "owner_id",
  "name",
  "description",
  "version",
  "api_enabled",
  "endpoint_name",
  "endpoint_slug",
  "api_authentication",
  "api_sync",
  "response_step_id",
  "api_custom_response",
  "form_enabled",
  "form_settings",
  "settings",
  "active",
  "folder",
  "tags",
  "created_at",
  "updated_at",
];
const COLUMNS = [...SUMMARY_COLUMNS, "graph"];
const DRAFT_COLUMNS = ["revision", "base_version", "updated_at"].map(
  (name) =>
    `(select d.${name} from workflow_draft as d where d.workflow_id = id and d.graph is not null) as draft_${name}`,
);
const IS_EMPTY = `case when graph like '{"steps":[],%' then 1 else 0 end as is_empty`;
const SUMMARY_LIST = [...SUMMARY_COLUMNS, ...DRAFT_COLUMNS, IS_EMPTY].join(", ");
const COLUMN_LIST = [...COLUMNS, ...DRAFT_COLUMNS, IS_EMPTY].join(", ");
/** A deleted workflow keeps its row for its unfinished tasks. */
const NOT_DELETED = "(select id from workflow where deleted_at is null) as live";
/** SQL: an endpoint or a form is reachable by its slug. */
const SLUG_IS_USED = "(api_enabled = 1 or form_enabled = 1)";
const WILL_USE_SLUG = "cast($api_enabled as bigint) + cast($form_enabled as bigint) > 0";
const SLUG_IS_FREE = `not (${WILL_USE_SLUG} and exists (select 1 from workflow as other
  where other.endpoint_slug = $endpoint_slug and (other.api_enabled = 1 or other.form_enabled = 1)
    and other.deleted_at is null and other.id <> $id))
  and not (${WILL_USE_SLUG} and ${isReservedForOthers("slug", { name: "$endpoint_slug", owner: "$owner_id", now: "$updated_at" })})`;

export function createWorkflowStore(db: Db) {
  return {
    ...createVersionStore(db),

    async insert(workflow: WorkflowRecord, history: VersionRecord[]): Promise<SaveOutcome> {
      const [inserted] = await db.batch([
        {
          sql: `insert into workflow (${COLUMNS.join(", ")})
                select ${COLUMNS.map((name) => `$${name}`).join(", ")} where ${SLUG_IS_FREE}
                on conflict do nothing returning id`,
          params: toColumns(workflow),
        },
        ...history.map(insertVersion),
        ...replaceUses(workflow.id, workflow.metadata, workflow.updatedAt),
      ]);
      return inserted?.length === 1 ? "stored" : "slug_taken";
    },

    /** Throws `workflow_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<WorkflowRecord> {
      const [row] = await db.query(
        `select ${COLUMN_LIST} from workflow where id = $id and owner_id = $ownerId and deleted_at is null`,
        { id, ownerId },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, NOT_DELETED, "workflow", id) : toWorkflow(row);
    },

    list: (
      ownerId: string,
      { folder, tag, active, ...page }: WorkflowFilter,
    ): Promise<ResultPage<WorkflowRecord>> =>
      sizedPage(
        db,
        {
          columns: COLUMN_LIST,
          from: `from workflow where owner_id = $ownerId and deleted_at is null ${conditionsOf({ folder, tag, active })}`,
          params: { ownerId, ...paramsOf({ folder, tag, active }) },
          size: "length(graph)",
        },
        page,
        toWorkflow,
      ),

    async listSummaries(
      ownerId: string,
      { limit, cursor, ...filter }: WorkflowFilter,
    ): Promise<ResultPage<WorkflowSummary>> {
      const rows = await db.query(
        `select ${SUMMARY_LIST} from workflow where owner_id = $ownerId and deleted_at is null and id < $cursor
           ${conditionsOf(filter)}
         order by id desc limit $limit`,
        { ownerId, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1, ...paramsOf(filter) },
      );
      return toResultPage(rows.map(toSummary), limit, ({ id }) => id);
    },

    /**
     * Optimistic lock on `updated_at`: changed settings create no version, so the version number would miss them.
     * `version` is the new history entry, if any.
     */
    async update(
      workflow: WorkflowRecord,
      expectedUpdatedAt: number,
      version: VersionRecord | undefined,
      /** Publishes this revision of the draft: nothing changes when the draft has another one. */
      draftRevision?: number,
    ): Promise<SaveOutcome> {
      const isPublishing = draftRevision !== undefined;
      // Before the update: it reads the slug that the update may release.
      const first = [
        ...(isPublishing ? [lockDraft(workflow.id)] : []),
        ...reserveSlug(workflow.id, workflow.ownerId, workflow.updatedAt),
      ];
      const statements = [
        ...first,
        {
          sql: `update workflow set name = $name, description = $description, version = $version, graph = $graph,
                  api_enabled = $api_enabled, endpoint_name = $endpoint_name, endpoint_slug = $endpoint_slug,
                  api_authentication = $api_authentication, api_sync = $api_sync, response_step_id = $response_step_id,
                  api_custom_response = $api_custom_response,
                  form_enabled = $form_enabled, form_settings = $form_settings, settings = $settings,
                  active = $active, folder = $folder, tags = $tags,
                  updated_at = $updated_at
                where id = $id and owner_id = $owner_id and updated_at = $expectedUpdatedAt and deleted_at is null
                  and ${SLUG_IS_FREE} ${isPublishing ? `and ${HAS_DRAFT_REVISION}` : ""} returning id`,
          params: {
            ...toColumns(workflow),
            expectedUpdatedAt,
            ...(isPublishing ? { draftRevision } : {}),
          },
        },
        ...(version === undefined ? [] : [insertVersion(version)]),
        ...(version === undefined ? [] : replaceUses(workflow.id, workflow.metadata, workflow.updatedAt)),
        ...(isPublishing
          ? [removePublished(workflow.id, draftRevision, workflow.updatedAt), removeDraftUses(workflow.id)]
          : []),
      ];
      const updated = (await db.batch(statements, { alone: isPublishing }))[first.length];
      if (updated?.length === 1) return "stored";
      const outcome = await findRejection(db, workflow.id, expectedUpdatedAt);
      // A publish changes no endpoint name: only another revision of the draft can have stopped it.
      return isPublishing ? "outdated" : outcome;
    },

    async remove(id: string, ownerId: string, now: number): Promise<void> {
      const [, , removed] = await db.batch([
        ...reserveSlug(id, ownerId, now),
        {
          sql: `update workflow set deleted_at = $now, api_enabled = 0, form_enabled = 0
                where id = $id and owner_id = $ownerId and deleted_at is null returning id`,
          params: { id, ownerId, now },
        },
        {
          sql: `delete from workflow_draft where workflow_id = $id
                  and exists (select 1 from workflow where id = $id and owner_id = $ownerId and deleted_at = $now)`,
          params: { id, ownerId, now },
        },
        {
          sql: "delete from workflow_search where workflow_id = $id and owner_id = $ownerId",
          params: { id, ownerId },
        },
        removeUses(id),
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, NOT_DELETED, "workflow", id);
    },
  };
}

type LibraryFilter = Pick<WorkflowFilter, "folder" | "tag" | "active">;

function conditionsOf({ folder, tag, active }: LibraryFilter): string {
  return [
    folder === undefined ? "" : "and folder = $folder",
    tag === undefined ? "" : "and exists (select 1 from json_each(workflow.tags) as t where t.value = $tag)",
    active === undefined ? "" : "and active = $active",
  ].join(" ");
}

function paramsOf({ folder, tag, active }: LibraryFilter): Record<string, SqlValue> {
  return {
    ...(folder !== undefined && { folder }),
    ...(tag !== undefined && { tag }),
    ...(active !== undefined && { active: Number(active === "true") }),
  };
}

/** Reserves the slug of an enabled endpoint; while the endpoint is enabled the reservation has no effect. */
function reserveSlug(id: string, ownerId: string, now: number): Statement[] {
  return reserveNames("slug", {
    name: "endpoint_slug",
    from: `from workflow where id = $id and owner_id = $ownerId and ${SLUG_IS_USED} and endpoint_slug is not null
           and deleted_at is null`,
    params: { id, ownerId },
    now,
  });
}

async function findRejection(db: Db, id: string, expectedUpdatedAt: number): Promise<SaveOutcome> {
  const [row] = await db.query("select updated_at from workflow where id = $id and deleted_at is null", {
    id,
  });
  return Number(row?.["updated_at"]) === expectedUpdatedAt ? "slug_taken" : "outdated";
}

function toColumns({ apiSettings, ...workflow }: WorkflowRecord): Record<string, SqlValue> {
  return {
    id: workflow.id,
    owner_id: workflow.ownerId,
    name: workflow.name,
    description: workflow.description,
    version: workflow.version,
    graph: JSON.stringify(workflow.metadata),
    api_enabled: Number(apiSettings.enabled),
    endpoint_name: apiSettings.endpointName,
    endpoint_slug: apiSettings.endpointName?.toLowerCase() ?? null,
    api_authentication: Number(apiSettings.authentication),
    api_sync: Number(apiSettings.sync),
    response_step_id: apiSettings.responseStepId ?? null,
    api_custom_response: Number(apiSettings.customResponse ?? false),
    form_enabled: Number(workflow.form?.enabled ?? false),
    form_settings:
      workflow.form === undefined ? null : JSON.stringify({ ...workflow.form, enabled: undefined }),
    settings: workflow.settings === undefined ? null : JSON.stringify(workflow.settings),
    active: Number(workflow.active),
    folder: workflow.folder,
    tags: JSON.stringify(workflow.tags),
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
  };
}

function toWorkflow(row: Row): WorkflowRecord {
  return { ...toSummary(row), metadata: JSON.parse(row["graph"] as string) as LooseGraph };
}

function toSummary(row: Row): WorkflowSummary {
  const responseStepId = row["response_step_id"] as string | null;
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    description: row["description"] as string,
    version: Number(row["version"]),
    apiSettings: {
      enabled: Number(row["api_enabled"]) === 1,
      endpointName: row["endpoint_name"] as string | null,
      authentication: Number(row["api_authentication"]) === 1,
      sync: Number(row["api_sync"]) === 1,
      ...(responseStepId === null ? {} : { responseStepId }),
      ...(Number(row["api_custom_response"]) === 1 ? { customResponse: true as const } : {}),
    },
    ...formOf(row),
    ...settingsOf(row),
    active: Number(row["active"]) === 1,
    folder: row["folder"] as string,
    tags: JSON.parse(row["tags"] as string) as string[],
    ...(Number(row["is_empty"]) === 1 && { published: false as const }),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
    ...(row["draft_revision"] === null
      ? {}
      : {
          draft: {
            revision: Number(row["draft_revision"]),
            baseVersion: Number(row["draft_base_version"]),
            updatedAt: Number(row["draft_updated_at"]),
          },
        }),
  };
}

/** The column `settings`; empty for a workflow without them, as most are. */
export function settingsOf(row: Row): { settings?: RunSettings } {
  const settings = row["settings"] as string | null | undefined;
  return typeof settings === "string" ? { settings: JSON.parse(settings) as RunSettings } : {};
}

/** The columns `form_enabled` and `form_settings`; empty when the workflow has no form. */
export function formOf(row: Row): { form?: FormSettings } {
  const settings = row["form_settings"] as string | null;
  if (settings === null) return {};
  return { form: { enabled: Number(row["form_enabled"]) === 1, ...(JSON.parse(settings) as object) } };
}
