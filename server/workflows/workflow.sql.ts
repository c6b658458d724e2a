import type { WorkflowFilter } from "../../contract/workflows.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, SqlValue, Statement } from "../storage/db.ts";
import { AFTER_EVERY_ID, sizedPage } from "../storage/paging.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { isReservedForOthers, reserveNames } from "../storage/name-reservations.ts";
import { removeDraftUses, removeUses, replaceUses } from "./workflow-use.sql.ts";
import { type DraftRecord, writeDraft } from "./draft.sql.ts";
import { createVersionStore, insertVersion, type VersionRecord } from "./version.sql.ts";
import { HAS_DRAFT_REVISION, lockDraft, removePublished } from "./publish-draft.sql.ts";
import {
  COLUMN_LIST,
  COLUMNS,
  SUMMARY_LIST,
  toColumns,
  toSummary,
  toWorkflow,
  type WorkflowRecord,
  type WorkflowSummary,
} from "./workflow-rows.sql.ts";

export type SaveOutcome = "stored" | "slug_taken" | "outdated";

export type WorkflowStore = ReturnType<typeof createWorkflowStore>;

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

    /** A crash never leaves the workflow without `draft`. */
    async insert(
      workflow: WorkflowRecord,
      history: VersionRecord[],
      draft?: DraftRecord,
    ): Promise<SaveOutcome> {
      const [inserted] = await db.batch([
        {
          sql: `insert into workflow (${COLUMNS.join(", ")})
                select ${COLUMNS.map((name) => `$${name}`).join(", ")} where ${SLUG_IS_FREE}
                on conflict do nothing returning id`,
          params: await toColumns(workflow),
        },
        ...(await Promise.all(history.map(insertVersion))),
        ...replaceUses(workflow.id, workflow.metadata, workflow.updatedAt),
        ...(draft === undefined ? [] : await writeDraft(draft)),
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
            ...(await toColumns(workflow)),
            expectedUpdatedAt,
            ...(isPublishing ? { draftRevision } : {}),
          },
        },
        ...(version === undefined ? [] : [await insertVersion(version)]),
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
