import { chain } from "./graphs.ts";
import type { RegisteredUser } from "./test-app.ts";

/** A record of one user's that another user tries to reach. */
export interface Possession {
  /** Paths under which the record's id stands, as the OpenAPI document writes them. */
  path: RegExp;
  /** Makes the record and says what stands for each of the path's parameters. */
  create(owner: RegisteredUser): Promise<Record<string, string>>;
}

/** Bodies that get past validation, for the operations that need more than an empty object. */
export const bodies: Record<string, unknown> = {};

/** Paths whose parameter is no record's id: names that count for each user alone, or public addresses. */
export const noRecord: RegExp[] = [/^\/api\/workflows\/public\//, /^\/webhook\//];

export const possessions: Possession[] = [
  {
    path: /^\/api\/workflows\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Private", metadata: chain("a", "b") });
      const id: string = body.workflow.id;
      return { id, workflowId: id, version: "1" };
    },
  },
  {
    path: /^\/api\/templates\/(import\/)?\{/,
    async create(owner) {
      const { body } = await owner.post("/api/templates", { name: "Private", ...chain("a", "b") });
      return { id: body.template.id };
    },
  },
];
