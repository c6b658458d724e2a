import { success } from "../../contract/api.ts";
import {
  folderListResponseSchema,
  folderNameSchema,
  movedWorkflowsResponseSchema,
  renameFolderSchema,
  storedFolderSchema,
} from "../../contract/workflows.ts";
import type { HttpServer } from "../http/server.ts";
import type { Folders } from "./folders.ts";

const tags = ["workflows"];

export function folderRoutes(app: HttpServer, folders: Folders): void {
  app.get(
    "/api/workflows/folders",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listFolders",
        summary: "List the folders of workflows",
        description: "Folders with a workflow in them, and empty ones that were created.",
        response: { 200: folderListResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, folders: await folders.list(request.workspaceId) }),
  );

  app.post(
    "/api/workflows/folders",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createFolder",
        summary: "Create a folder of workflows",
        description: "A folder that exists stays as it is. Slashes separate the names of nested folders.",
        errors: ["limit_reached"],
        body: folderNameSchema,
        response: { 201: success({}) },
      },
    },
    async (request, reply) => {
      await folders.create(request.workspaceId, request.body.folder);
      return reply.status(201).send({ ok: true as const });
    },
  );

  app.post(
    "/api/workflows/folders/rename",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "renameFolder",
        summary: "Rename or move a folder of workflows",
        description:
          "Moves every workflow and subfolder of the folder. A path that exists joins the two folders; an empty path takes the workflows out.",
        body: renameFolderSchema,
        response: { 200: movedWorkflowsResponseSchema },
      },
    },
    async ({ workspaceId, body: { from, to } }) => ({
      ok: true as const,
      workflows: await folders.move(workspaceId, from, to),
    }),
  );

  app.delete(
    "/api/workflows/folders",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteFolder",
        summary: "Delete a folder and keep its workflows",
        description: "Its workflows and subfolders move to the folder above.",
        querystring: storedFolderSchema,
        response: { 200: movedWorkflowsResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      workflows: await folders.remove(request.workspaceId, request.query.folder),
    }),
  );
}
