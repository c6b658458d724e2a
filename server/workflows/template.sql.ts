import type { PageQuery } from "../../contract/api.ts";
import type { FormSettingsInput } from "../../contract/forms.ts";
import type { TemplateVersion, UpdateTemplate } from "../../contract/templates.ts";
import type { ApiSettingsInput, RunSettingsInput } from "../../contract/workflow-settings.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { getRecord, removeRecord } from "../storage/owned-records.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { sizedPage } from "../storage/paging.ts";
import type { LooseGraph } from "./version.sql.ts";

export interface TemplateRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  category: string;
  metadata: LooseGraph;
  /** Where an imported workflow is listed. */
  folder: string;
  tags: string[];
  /** What an imported workflow gets besides its content. */
  apiSettings?: ApiSettingsInput | undefined;
  settings?: RunSettingsInput | undefined;
  form?: FormSettingsInput | undefined;
  versions: TemplateVersion[];
  createdAt: number;
}

export type TemplateStore = ReturnType<typeof createTemplateStore>;

export function createTemplateStore(db: Db) {
  return {
    async insert(template: TemplateRecord): Promise<void> {
      const { metadata, versions, tags, apiSettings, settings, form, ...rest } = template;
      await db.batch([
        {
          sql: `insert into template (id, owner_id, name, description, category, graph, folder, tags, api_settings, settings, form, versions, created_at)
                values ($id, $ownerId, $name, $description, $category, $graph, $folder, $tags, $apiSettings, $settings, $form, $versions, $createdAt)`,
          params: {
            ...rest,
            graph: JSON.stringify(metadata),
            tags: JSON.stringify(tags),
            apiSettings: toJson(apiSettings),
            settings: toJson(settings),
            form: toJson(form),
            versions: JSON.stringify(versions),
          },
        },
      ]);
    },

    /** Throws `template_not_found` or `forbidden`. */
    get: async (id: string, ownerId: string): Promise<TemplateRecord> =>
      toTemplate(await getRecord(db, "template", id, ownerId)),

    list: (ownerId: string, page: PageQuery): Promise<ResultPage<TemplateRecord>> =>
      sizedPage(
        db,
        {
          // Without the version history, which only an import needs.
          columns:
            "id, owner_id, name, description, category, graph, folder, tags, api_settings, settings, form, '[]' as versions, created_at",
          from: "from template where owner_id = $ownerId",
          params: { ownerId },
          size: "length(graph)",
        },
        page,
        toTemplate,
      ),

    /** In one statement: two changes at once keep both. Throws `template_not_found` or `forbidden`. */
    async update(id: string, ownerId: string, { name, description }: UpdateTemplate): Promise<void> {
      const [changed] = await db.batch([
        {
          sql: `update template set name = coalesce(cast($name as text), name),
                  description = coalesce(cast($description as text), description)
                where id = $id and owner_id = $ownerId returning id`,
          params: { id, ownerId, name: name ?? null, description: description ?? null },
        },
      ]);
      if (changed?.length !== 1) await throwNotFoundOrForbidden(db, "template", "template", id);
    },

    remove: (id: string, ownerId: string): Promise<void> => removeRecord(db, "template", id, ownerId),
  };
}

function toTemplate(row: Row): TemplateRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    description: row["description"] as string,
    category: row["category"] as string,
    metadata: JSON.parse(row["graph"] as string) as LooseGraph,
    folder: row["folder"] as string,
    tags: JSON.parse(row["tags"] as string) as string[],
    apiSettings: parseOptional(row["api_settings"]),
    settings: parseOptional(row["settings"]),
    form: parseOptional(row["form"]),
    versions: JSON.parse(row["versions"] as string) as TemplateVersion[],
    createdAt: Number(row["created_at"]),
  };
}

function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function parseOptional(json: unknown): object | undefined {
  return typeof json === "string" ? (JSON.parse(json) as object) : undefined;
}
