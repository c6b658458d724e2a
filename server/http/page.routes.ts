import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import { unavailable } from "../lib/errors.ts";
import type { HttpServer } from "./server.ts";

/** Where the page's own addresses begin. Everything else stays the API's: an unknown address is its JSON 404. */
const PAGE_ADDRESSES = [
  "workflows",
  "runs",
  "approvals",
  "endpoints",
  "variables",
  "agents",
  "teams",
  "documents",
  "templates",
];

const BUILT_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/web" : "../web", import.meta.url),
);
const YEAR_MS = 365 * 24 * 3600 * 1000;

const route = { config: { auth: "public" as const }, schema: { hide: true } };

/** The page at `/`: hashed files for a year, the document itself never from a cache without asking. */
export async function pageRoutes(app: HttpServer, folder = BUILT_FOLDER): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });

  const files = { maxAge: YEAR_MS, immutable: true };
  for (const place of ["assets", "pdf"])
    app.get<{ Params: { "*": string } }>(`/${place}/*`, route, (request, reply) =>
      reply.sendFile(`${place}/${request.params["*"]}`, folder, files),
    );
  for (const file of ["theme.js", "favicon.svg"])
    app.get(`/${file}`, route, (_request, reply) => reply.sendFile(file, folder, { maxAge: 0 }));

  for (const address of ["/", ...PAGE_ADDRESSES.flatMap((name) => [`/${name}`, `/${name}/*`])])
    app.get(address, route, (_request, reply) => {
      if (!existsSync(join(folder, "index.html")))
        throw unavailable("The page has not been built yet: run `npm start`.");
      return reply
        .header("cache-control", "no-cache")
        .sendFile("index.html", folder, { cacheControl: false });
    });
}
