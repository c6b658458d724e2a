import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { unavailable } from "../lib/errors.ts";
import { securityHeaders } from "./security-headers.ts";
import type { HttpServer } from "./server.ts";

/** First path segments of the page's own URLs. A program that asks for any other URL gets the API's JSON 404. */
const PAGE_PATHS = [
  "workflows",
  "runs",
  "approvals",
  "notifications",
  "endpoints",
  "webhooks",
  "schedules",
  "connections",
  "variables",
  "store",
  "clients",
  "agents",
  "teams",
  "documents",
  "templates",
  "account",
  "settings",
  "administration",
  "register",
  "invitations",
  "files",
  "login",
  "reset-password",
  "confirm-email",
];

const BUILT_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/web" : "../web", import.meta.url),
);
const YEAR_MS = 365 * 24 * 3600 * 1000;

const route = { config: { auth: "public" as const }, schema: { hide: true } };

export interface WebOptions {
  folder?: string;
  /** Web sites that may embed the chat with this slug. */
  chatOrigins?: (slug: string) => Promise<string[]>;
}

/** Serves the page: files with a hash in their name are cached for a year, index.html is always revalidated. */
export async function webRoutes(
  app: HttpServer,
  { folder = BUILT_FOLDER, chatOrigins = () => Promise.resolve([]) }: WebOptions = {},
): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });

  const files = { maxAge: YEAR_MS, immutable: true };
  for (const directory of ["assets", "pdf"])
    app.get<{ Params: { "*": string } }>(`/${directory}/*`, route, (request, reply) =>
      reply.sendFile(`${directory}/${request.params["*"]}`, folder, files),
    );
  for (const file of ["theme.js", "favicon.svg"])
    app.get(`/${file}`, route, (_request, reply) => reply.sendFile(file, folder, { maxAge: 0 }));

  function sendPage(reply: FastifyReply, file = "index.html") {
    if (!existsSync(join(folder, file))) throw unavailable("The page is not built. Run `npm start`.");
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-cache");
    return reply.sendFile(file, folder, { cacheControl: false });
  }
  // The public page of a form is a separate small page.
  app.get("/f/:slug", route, (_request, reply) => sendPage(reply, "form.html"));
  app.get<{ Params: { slug: string } }>("/chat/:slug", route, async (request, reply) => {
    const origins = await chatOrigins(request.params.slug);
    if (origins.length > 0)
      void reply.removeHeader("x-frame-options").header("content-security-policy", framedBy(origins));
    return sendPage(reply, "chat.html");
  });
  // Other sites load this script.
  app.get("/chat-widget.js", route, (_request, reply) =>
    reply
      .header("cross-origin-resource-policy", "cross-origin")
      .sendFile("chat-widget.js", folder, { maxAge: 0 }),
  );
  for (const path of ["/", ...PAGE_PATHS.flatMap((name) => [`/${name}`, `/${name}/*`])])
    app.get(path, route, (_request, reply) => sendPage(reply));
  // The consent screen of the authorization server. The query is a request of another program: no cache keeps it.
  app.get("/oauth/authorize", route, (_request, reply) =>
    sendPage(reply.header("cache-control", "no-store")),
  );
  // The URL decides an approval for its holder: no cache keeps it.
  app.get("/a/:token", route, (_request, reply) => sendPage(reply.header("cache-control", "no-store")));
  // A person who follows a wrong link gets a page that says so, a program the JSON error.
  app.get("/*", route, (request, reply) =>
    isNavigation(request) ? sendPage(reply.status(404)) : reply.callNotFound(),
  );
}

/** The origins were checked when they were stored: nothing in them can add to the policy. */
function framedBy(origins: readonly string[]): string {
  return securityHeaders["content-security-policy"].replace(
    "frame-ancestors 'none'",
    `frame-ancestors 'self' ${origins.join(" ")}`,
  );
}

const PROGRAM_PATHS = /^\/(api|webhook|mcp|v1|a2a)\b/;

function isNavigation({ url, headers }: FastifyRequest): boolean {
  return !PROGRAM_PATHS.test(url) && (headers.accept ?? "").includes("text/html");
}
