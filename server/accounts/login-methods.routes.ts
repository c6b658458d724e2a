import { loginMethodsResponseSchema, type LoginMethods } from "../../contract/accounts.ts";
import type { HttpServer } from "../http/server.ts";

export function loginMethodsRoutes(app: HttpServer, read: () => Promise<LoginMethods>): void {
  app.get(
    "/api/auth/methods",
    {
      config: { auth: "public" },
      schema: {
        tags: ["accounts"],
        operationId: "listLoginMethods",
        summary: "List the ways to log in",
        description: "What a login screen offers before anybody has logged in.",
        security: [],
        response: { 200: loginMethodsResponseSchema },
      },
    },
    async () => ({ ok: true as const, ...(await read()) }),
  );
}
