import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  savedWorkflowResponseSchema,
  updateVersionSchema,
  versionListQuerySchema,
  versionListResponseSchema,
  versionResponseSchema,
} from "../../contract/workflows.ts";
import type { HttpServer } from "../http/server.ts";
import { toIso } from "../lib/clock.ts";
import { toSavedResponse, toVersion } from "./workflow-view.ts";
import type { Workflows } from "./workflows.ts";

const tags = ["workflows"];
const idParams = z.object({ id: z.string() });
const versionParams = z.object({ id: z.string(), version: z.string() });
/** 0 is the state before the first version, negative numbers are the snapshots of draft runs: both can only be read. */
const parseVersion = (text: string) => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : NO_VERSION);
/** No workflow reaches this number, so the response is 404. */
const NO_VERSION = Number.MAX_SAFE_INTEGER;

function parsePublished(text: string): number {
  const number = parseVersion(text);
  return number <= 0 ? NO_VERSION : number;
}

/** The history of a workflow: the published versions, their notes, and the way back to one of them. */
export function versionRoutes(app: HttpServer, workflows: Workflows): void {
  app.get(
    "/api/workflows/:id/versions",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listVersions",
        summary: "List versions, newest first",
        description:
          "Every change of name, description or graph is a version. `runs=true` counts the runs of each.",
        params: idParams,
        querystring: versionListQuerySchema,
        response: { 200: versionListResponseSchema },
      },
    },
    async (request) => {
      const { workspaceId, params } = request;
      const { runs, ...page } = request.query;
      const { items, nextCursor } = await workflows.listVersions(workspaceId, params.id, page);
      const counts = runs === "true" ? await workflows.countRuns(workspaceId, params.id) : undefined;
      return {
        ok: true as const,
        versions: items.map((version) => ({
          ...version,
          createdAt: toIso(version.createdAt),
          ...(counts === undefined ? {} : { runs: counts.get(version.version) ?? 0 }),
        })),
        nextCursor,
      };
    },
  );

  app.get(
    "/api/workflows/:id/versions/:version",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getVersion",
        summary: "Read a version",
        description:
          "The name, description and graph of a version. Negative numbers are the snapshots of draft runs.",
        params: versionParams,
        response: { 200: versionResponseSchema },
      },
    },
    async (request) => {
      const { id, version } = request.params;
      return {
        ok: true as const,
        version: toVersion(await workflows.getVersion(request.workspaceId, id, parseVersion(version))),
      };
    },
  );

  app.patch(
    "/api/workflows/:id/versions/:version",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateVersion",
        summary: "Change the note of a version",
        description: "The note names the version in the history. Its content never changes.",
        params: versionParams,
        bodyExample: { note: "Before the sale" },
        body: updateVersionSchema,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      const { id, version } = request.params;
      await workflows.setVersionNote(request.workspaceId, id, parsePublished(version), request.body.note);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/workflows/:id/rollback/:version",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "rollbackWorkflow",
        summary: "Roll back to a version",
        description: "Adds a version with the content of the old one, so that nothing is lost.",
        errors: ["invalid_workflow"],
        params: versionParams,
        response: { 200: savedWorkflowResponseSchema },
      },
    },
    async (request) => {
      const { id, version } = request.params;
      return toSavedResponse(
        await workflows.rollback(request.workspaceId, id, parsePublished(version), request.authorId),
      );
    },
  );
}
