import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { addRoutes } from "./add-routes.ts";
import type { HttpServer } from "./server.ts";

function createServer(): HttpServer {
  const app = Fastify() as unknown as HttpServer;
  onTestFinished(() => app.close());
  return app;
}

const bodyOf = async (app: HttpServer, url: string): Promise<string> => (await app.inject(url)).body;

test("routes, hooks and scopes that are added in one go work", async () => {
  const app = createServer();
  app.setErrorHandler((error, _request, reply) => reply.send(`caught ${(error as Error).message}`));
  addRoutes(app, () => {
    app.get("/a", () => "a");
    void app.register((scope, _options, done) => {
      scope.addHook("onRequest", (_request, reply, next) => {
        void reply.header("x-scope", "inner");
        next();
      });
      scope.get("/b", () => "b");
      done();
    });
    app.addHook("onRequest", (_request, reply, done) => {
      void reply.header("x-hook", "outer");
      done();
    });
    app.get("/fails", () => Promise.reject(new Error("failure")));
  });
  app.get("/after", () => "after");
  expect(await bodyOf(app, "/a")).toBe("a");
  expect(await bodyOf(app, "/fails")).toBe("caught failure");
  expect(await bodyOf(app, "/after")).toBe("after");
  const { body, headers } = await app.inject("/b");
  expect([body, headers["x-scope"], headers["x-hook"]]).toEqual(["b", "inner", "outer"]);
});

test("a route that is declared twice is an error", () => {
  const app = createServer();
  const add = (): void => void app.get("/a", () => "a");
  expect(() => addRoutes(app, () => (add(), add()))).toThrow("already declared");
  expect(app.after.name).not.toBe("collect");
});

test("a scope that fails makes the server fail", async () => {
  const app = createServer();
  addRoutes(app, () => {
    void app.register((_scope, _options, done) => done(new Error("failure")));
    app.get("/a", () => "a");
  });
  await expect(app.ready()).rejects.toThrow("failure");
});
