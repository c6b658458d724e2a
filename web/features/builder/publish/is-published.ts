import type { Workflow } from "../../../api/types.ts";

/** A workflow is published once its live version has steps. */
export function isPublished({ metadata }: Workflow): boolean {
  return metadata.steps.length > 0;
}
