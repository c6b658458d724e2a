import { TEMPLATE_FORMAT, type TemplateFile } from "../../contract/templates.ts";
import { toIso } from "../lib/clock.ts";
import type { VersionRecord } from "./version.sql.ts";
import type { WorkflowRecord } from "./workflow-rows.sql.ts";

export type WorkflowContent = Pick<WorkflowRecord, "name" | "description" | "metadata">;

/** The file of an exported workflow: this content, with the settings and the history of the live workflow. */
export function toTemplateFile(
  live: WorkflowRecord,
  { name, description, metadata }: WorkflowContent,
  versions: readonly VersionRecord[],
): TemplateFile {
  const { id, folder, tags, settings } = live;
  // The file has the settings of the endpoint and the form, not whether they are open.
  const { enabled: _isEnabled, ...apiSettings } = live.apiSettings;
  const { enabled: _, ...form } = live.form ?? { enabled: false };
  return {
    format: TEMPLATE_FORMAT,
    id,
    name,
    description,
    metadata,
    ...metadata,
    ...(folder !== "" && { folder }),
    ...(tags.length > 0 && { tags }),
    apiSettings,
    ...(settings !== undefined && { settings }),
    ...(live.form !== undefined && { form }),
    versions: versions.map((entry) => ({
      version: entry.version,
      name: entry.name,
      description: entry.description,
      note: entry.note,
      createdAt: toIso(entry.createdAt),
      metadata: entry.metadata,
    })),
  };
}
