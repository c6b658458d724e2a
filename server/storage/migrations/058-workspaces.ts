import type { Migration } from "../migrate.ts";

/** All columns that `account` has had up to here; the error workflow moves to the workspace. */
const ACCOUNT_COLUMNS = "id, email, name, password_hash, created_at, tokens_valid_from";

const createAccount = `create table account (
  id text primary key,
  email text not null unique,
  name text,
  password_hash text not null,
  created_at bigint not null,
  tokens_valid_from bigint
)`;

const copyAccounts = `insert into account (${ACCOUNT_COLUMNS}) select ${ACCOUNT_COLUMNS} from workspace`;

const DELETED_AT = "(select d.requested_at from account_deletion as d where d.owner_id = workspace.id)";

interface TableOfAccounts {
  table: string;
  /** In the order in which the table has them. */
  columns: readonly string[];
  indexes?: readonly string[];
  cascades?: true;
}

/** Tables that refer to people, not to the workspaces that own records. */
const ofAccounts: readonly TableOfAccounts[] = [
  {
    table: "login_session",
    columns: [
      "id text primary key",
      "user_id text not null references account (id)",
      "user_agent text",
      "address text",
      "created_at bigint not null",
      "expires_at bigint not null",
    ],
    indexes: ["create index login_session_by_user on login_session (user_id, id)"],
  },
  {
    table: "collection_reader",
    columns: [
      "collection_id text not null references collection (id) on delete cascade",
      "user_id text not null references account (id) on delete cascade",
      "primary key (collection_id, user_id)",
    ],
    indexes: ["create index collection_reader_by_user on collection_reader (user_id)"],
    cascades: true,
  },
  {
    table: "second_factor",
    columns: [
      "user_id text primary key references account (id)",
      "secret text not null",
      "enabled_at bigint",
      "last_step bigint not null default 0",
      "attempts bigint not null default 0",
      "attempts_until bigint not null default 0",
    ],
  },
  {
    table: "recovery_code",
    columns: [
      "user_id text not null references account (id)",
      "hash text not null",
      "primary key (user_id, hash)",
    ],
  },
];

/**
 * Every record belongs to a workspace. The personal workspace of a user has the id of the user, so no record changes: the
 * table that `owner_id` refers to becomes `workspace`, and the accounts move to a new table.
 */
export const workspaces: Migration = {
  version: 58,
  name: "workspaces",
  rebuildsReferencedTable: true,
  statements: {
    sqlite: [
      // References of other tables follow the new name.
      "alter table account rename to workspace",
      createAccount,
      copyAccounts,
      // A column with a unique constraint cannot be dropped, so the table is built anew.
      `create table workspace_rebuilt (
        id text primary key,
        name text not null,
        kind text not null,
        created_at bigint not null,
        deleted_at bigint,
        error_workflow_id text
      )`,
      `insert into workspace_rebuilt (id, name, kind, created_at, deleted_at, error_workflow_id)
       select id, 'Personal', 'personal', created_at, ${DELETED_AT}, error_workflow_id from workspace`,
      "drop table workspace",
      "alter table workspace_rebuilt rename to workspace",
      ...ofAccounts.flatMap(({ table, columns, indexes = [] }) => [
        `create table ${table}_rebuilt (${columns.join(", ")})`,
        `insert into ${table}_rebuilt select * from ${table}`,
        `drop table ${table}`,
        `alter table ${table}_rebuilt rename to ${table}`,
        ...indexes,
      ]),
      ...membership(),
    ],
    postgres: [
      "alter table account rename to workspace",
      "alter table workspace rename constraint account_pkey to workspace_pkey",
      "alter table workspace rename constraint account_email_key to workspace_email_key",
      createAccount,
      copyAccounts,
      "alter table workspace add column kind text not null default 'personal'",
      "alter table workspace alter column kind drop default",
      "alter table workspace add column deleted_at bigint",
      `update workspace set name = 'Personal', deleted_at = ${DELETED_AT}`,
      "alter table workspace alter column name set not null",
      "alter table workspace drop column email",
      "alter table workspace drop column password_hash",
      "alter table workspace drop column tokens_valid_from",
      ...ofAccounts.flatMap(({ table, cascades }) => [
        `alter table ${table} drop constraint ${table}_user_id_fkey`,
        `alter table ${table} add constraint ${table}_user_id_fkey
         foreign key (user_id) references account (id)${cascades === true ? " on delete cascade" : ""}`,
      ]),
      ...membership(),
    ],
  },
};

function membership(): string[] {
  return [
    `create table member (
      workspace_id text not null references workspace (id) on delete cascade,
      user_id text not null references account (id) on delete cascade,
      role text not null,
      created_at bigint not null,
      primary key (workspace_id, user_id)
    )`,
    "create index member_by_user on member (user_id, workspace_id)",
    `insert into member (workspace_id, user_id, role, created_at)
     select id, id, 'owner', created_at from account`,
    // Deleted when it is accepted, so that it works once.
    `create table invitation (
      id text primary key,
      workspace_id text not null references workspace (id) on delete cascade,
      token_hash text not null unique,
      role text not null,
      email text,
      invited_by text not null references account (id) on delete cascade,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    "create index invitation_by_workspace on invitation (workspace_id, id)",
    "create index invitation_by_inviter on invitation (invited_by)",
    // The person behind a credential: it ends when the person leaves the workspace.
    "alter table api_key add column created_by text",
    "update api_key set created_by = owner_id",
    "alter table oauth_code add column user_id text",
    "update oauth_code set user_id = owner_id",
    "alter table oauth_grant add column user_id text",
    "update oauth_grant set user_id = owner_id",
    // Only this person, admins and owners see the settings of a connection.
    "alter table connection add column created_by text",
    "update connection set created_by = owner_id",
  ];
}
