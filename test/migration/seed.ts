import type { Db } from "../../server/storage/db.ts";

const ACCOUNTS = 200;
const WORKFLOWS = 500;
const ROWS_PER_STATEMENT = 5000;
const GRAPH = JSON.stringify({ steps: [{ stepId: "a", type: "transform", template: "x" }], edges: [] });

const pad = (n: number): string => String(n).padStart(8, "0");
const accountOf = (n: number): string => `user_${pad(n % ACCOUNTS)}`;
const workflowOf = (n: number): string => `wf_${pad(n % WORKFLOWS)}`;

/** Accounts with records of every kind that refers to an account, and tasks with their journals. */
export async function seedOldSchema(db: Db, tasks: number): Promise<void> {
  const insert = async (
    table: string,
    count: number,
    row: (n: number) => Readonly<Record<string, string | number | null>>,
  ): Promise<void> => {
    const columns = Object.keys(row(0));
    const isNumber = (column: string): boolean => typeof row(0)[column] === "number";
    const values = columns.map((column) =>
      isNumber(column) ? `cast(e.value->>'${column}' as bigint)` : `e.value->>'${column}'`,
    );
    for (let done = 0; done < count; done += ROWS_PER_STATEMENT) {
      const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - done) }, (_, i) =>
        row(done + i),
      );
      await db.batch([
        {
          sql: `insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from json_each(cast($rows as text)) as e`,
          params: { rows: JSON.stringify(rows) },
        },
      ]);
    }
  };
  await insert("account", ACCOUNTS, (n) => ({
    id: accountOf(n),
    email: `person${n}@example.com`,
    name: n % 3 === 0 ? `Person ${n}` : null,
    password_hash: `hash ${n}`,
    created_at: n,
    tokens_valid_from: n,
    error_workflow_id: n % 5 === 0 ? workflowOf(n) : null,
  }));
  await insert("workflow", WORKFLOWS, (n) => ({
    id: workflowOf(n),
    owner_id: accountOf(n),
    name: `Workflow ${n} „ü“`,
    description: "",
    version: 1,
    graph: GRAPH,
    api_enabled: 0,
    api_authentication: 1,
    api_sync: 1,
    created_at: n,
    updated_at: n,
  }));
  await insert("workflow_version", WORKFLOWS, (n) => ({
    workflow_id: workflowOf(n),
    version: 1,
    name: `Workflow ${n}`,
    description: "",
    graph: GRAPH,
    note: "Created",
    created_at: n,
    created_by: accountOf(n),
  }));
  await insert("template", ACCOUNTS, (n) => ({
    id: `tpl_${pad(n)}`,
    owner_id: accountOf(n),
    name: "T",
    description: "",
    category: "",
    graph: GRAPH,
    versions: "[]",
    created_at: n,
  }));
  await insert("login_session", ACCOUNTS * 3, (n) => ({
    id: `login_${pad(n)}`,
    user_id: accountOf(n),
    user_agent: "Browser",
    address: "192.0.2.1",
    created_at: n,
    expires_at: n + 1,
  }));
  await insert("variable", ACCOUNTS * 2, (n) => ({
    owner_id: accountOf(n),
    name: `variable_${n}`,
    secret: 0,
    value: JSON.stringify(n),
    updated_at: n,
  }));
  await insert("collection", ACCOUNTS, (n) => ({
    id: `col_${pad(n)}`,
    owner_id: accountOf(n),
    name: "C",
    shared_with_everyone: 0,
    created_at: n,
  }));
  await insert("collection_reader", ACCOUNTS, (n) => ({
    collection_id: `col_${pad(n)}`,
    user_id: accountOf(n + 1),
  }));
  await insert("second_factor", ACCOUNTS, (n) => ({
    user_id: accountOf(n),
    secret: `sealed ${n}`,
    enabled_at: n,
    last_step: n,
  }));
  await insert("recovery_code", ACCOUNTS * 2, (n) => ({ user_id: accountOf(n), hash: `code ${n}` }));
  await insert("task", tasks, (n) => ({
    id: `task_${pad(n)}`,
    owner_id: accountOf(n),
    workflow_id: workflowOf(n),
    workflow_version: 1,
    status: n % 33 === 0 ? "failed" : "completed",
    trigger: "api",
    input: JSON.stringify({ n }),
    result: JSON.stringify({ output: n }),
    depth: 0,
    epoch: 1,
    wake: 0,
    lives: 0,
    lives_seq: 0,
    created_at: n,
    started_at: n,
    completed_at: n + 5,
  }));
  await insert("journal", tasks, (n) => ({
    task_id: `task_${pad(n)}`,
    epoch: 1,
    seq: 1,
    kind: "step",
    path: "a",
    type: "transform",
    status: "completed",
    attempt: 1,
    final: 1,
    output: JSON.stringify(n),
    at: n,
  }));
}
