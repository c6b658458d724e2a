import type { FastifyInstance } from "fastify";

/** The methods that a path accepts. */
export type MethodsOf = (path: string) => string[];

interface KnownRoute {
  methods: string[];
  segments: string[];
}

/** Records every route that is added after this call, so that a 404 can name the right method. Wildcards match anything and say nothing. */
export function recordRouteMethods(app: Pick<FastifyInstance, "addHook">): MethodsOf {
  const routes: KnownRoute[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    if (!url.includes("*")) routes.push({ methods: [method].flat(), segments: url.split("/") });
  });
  return (path) => {
    const given = path.split("/");
    const methods = routes
      .filter(({ segments }) => matches(segments, given))
      .flatMap((route) => route.methods);
    return [...new Set(methods)].filter((method) => method !== "HEAD" && method !== "OPTIONS");
  };
}

function matches(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every(
      (segment, index) => segment === given[index] || (segment.startsWith(":") && given[index] !== ""),
    )
  );
}
