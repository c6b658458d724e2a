import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { defineApp } from "../../../apps/define-app.ts";
import type { TestAppOptions } from "../../support/test-app.ts";

const PAGE = 2;
const shelves = ["North", "South", "East", "Attic", "Cellar"].map((name, index) => ({ id: index + 1, name }));

export interface Warehouse {
  /** The token that it accepts. */
  token: string;
  items: { id: string; title: string }[];
  stored: unknown[];
}

/** An app whose vendor is a server of the test, so that actions, choices and triggers get real answers. */
export function useWarehouse(): { warehouse: Warehouse; options: () => Promise<TestAppOptions> } {
  const warehouse: Warehouse = { token: "right", items: [], stored: [] };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://vendor");
    const send = (status: number, body: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${warehouse.token}`)
      return send(401, { message: "unknown token" });
    if (url.pathname === "/me") return send(200, { name: "Ada" });
    if (url.pathname === "/items") return send(200, { items: warehouse.items });
    if (url.pathname === "/shelves") {
      const found = shelves.filter(({ name }) =>
        name.toLowerCase().includes((url.searchParams.get("q") ?? "").toLowerCase()),
      );
      const from = Number(url.searchParams.get("from") ?? 0);
      const next = from + PAGE < found.length ? from + PAGE : undefined;
      return send(200, { shelves: found.slice(from, from + PAGE), next });
    }
    let text = "";
    for await (const chunk of request) text += String(chunk);
    warehouse.stored.push(JSON.parse(text));
    send(200, { id: "box_1", shelf: (JSON.parse(text) as { shelf: unknown }).shelf });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    warehouse,
    async options() {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { apps: [appAt(`127.0.0.1:${(server.address() as AddressInfo).port}`)] };
    },
  };
}

const shelf = { type: "string", title: "Shelf", required: true, options: "shelves" } as const;

function appAt(host: string) {
  return defineApp({
    // As an app of an own document: the check of a saved graph knows only those that ship with Baton.
    id: "api_warehouse",
    title: "Warehouse",
    description: "Boxes on shelves.",
    category: "other",
    synonyms: ["storage"],
    icon: { letters: "Wa", color: "#7a4b12" },
    documentation: "https://example.com",
    baseUrl: `http://${host}`,
    hosts: [host],
    auth: [{ kind: "bearer", title: "Token", help: "Ask the keeper for a token." }],
    test: { request: { path: "/me" }, account: "{{body.name}}" },
    options: {
      shelves: {
        title: "Shelves",
        request: { path: "/shelves", query: { q: "{{search}}", from: "{{cursor}}" } },
        items: "{{body.shelves}}",
        search: true,
        paging: { kind: "cursor", cursor: "{{body.next}}", size: PAGE },
        value: "{{item.id}}",
        label: "{{item.name}}",
      },
    },
    actions: {
      store_box: {
        title: "Store a box",
        description: "Puts a box on a shelf.",
        synonyms: ["deposit"],
        input: {
          shelf,
          label: { type: "string", title: "Label", required: true },
          fragile: { type: "boolean", title: "Fragile", advanced: true },
        },
        request: {
          method: "POST",
          path: "/boxes",
          body: { shelf: "{{input.shelf}}", label: "{{input.label}}", fragile: "{{input.fragile}}" },
        },
        sample: { id: "box_9", shelf: "3" },
      },
    },
    triggers: {
      new_item: {
        title: "New item",
        description: "Starts a run for each new item.",
        input: { shelf, color: { type: "string", title: "Colour" } },
        polling: {
          request: { path: "/items" },
          items: "{{body.items}}",
          key: "{{item.id}}",
          name: "{{item.title}}",
          order: "newest_first",
        },
        sample: { id: "item_1", title: "Lamp" },
      },
    },
  });
}
