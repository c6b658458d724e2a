import type { Part, Platform } from "../platform/part.ts";
import { fileRoutes } from "./file.routes.ts";
import { createFiles } from "./files.ts";

export function createFilesPart({ files }: Platform): Part {
  return {
    routes: (http) => fileRoutes(http, createFiles(files)),
  };
}
