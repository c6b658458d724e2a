import type { FormSettings } from "../../contract/forms.ts";
import type { ApiSettings, RunSettings } from "../../contract/workflow-settings.ts";
import type { Row, SqlValue } from "../storage/db.ts";
import type { LooseGraph } from "./version.sql.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";

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
/** Those that are written. */
export const COLUMNS = [...SUMMARY_COLUMNS, "graph"];
const DRAFT_COLUMNS = ["revision", "base_version", "updated_at"].map(
  (name) =>
    `(select d.${name} from workflow_draft as d where d.workflow_id = id and d.graph is not null) as draft_${name}`,
);
const IS_EMPTY = `case when graph like '{"steps":[],%' then 1 else 0 end as is_empty`;
export const SUMMARY_LIST = [...SUMMARY_COLUMNS, ...DRAFT_COLUMNS, IS_EMPTY].join(", ");
export const COLUMN_LIST = [...COLUMNS, ...DRAFT_COLUMNS, IS_EMPTY].join(", ");

export async function toColumns({
  apiSettings,
  ...workflow
}: WorkflowRecord): Promise<Record<string, SqlValue>> {
  return {
    id: workflow.id,
    owner_id: workflow.ownerId,
    name: workflow.name,
    description: workflow.description,
    version: workflow.version,
    graph: await serializeInTurns(workflow.metadata),
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

export function toWorkflow(row: Row): WorkflowRecord {
  return { ...toSummary(row), metadata: JSON.parse(row["graph"] as string) as LooseGraph };
}

export function toSummary(row: Row): WorkflowSummary {
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
