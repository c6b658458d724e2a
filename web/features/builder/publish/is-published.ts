import type { Workflow } from "../../../api/types.ts";

/** A workflow is published once its live version has steps: the page creates an empty one. */
export function isPublished({ version, metadata }: Workflow): boolean {
  return version > 1 || metadata.steps.length > 0;
}
