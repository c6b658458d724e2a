/** A kind of record that routes change, found by the path of the route. */
export interface RecordKind {
  kind: string;
  /** The path of one record, or of routes about the kind. The longest one that a route begins with is its kind. */
  path: string;
  /**
   * Reads the record: `from` and `where` with the parameters of the path, `$owner` (the workspace) and `$user`. Without it
   * only the id is recorded.
   */
  from?: string;
  /** What is recorded of it. Never a column with a secret, a hash or a sealed value. */
  columns?: readonly string[];
  /** Columns with JSON. */
  json?: readonly string[];
}

/** The kind of a route whose record is not listed: the action and the id are recorded, without the state. */
export const UNKNOWN_KIND = "unknown";

const OWNED = "id = $id and owner_id = $owner";

/** Every kind of record. A new table with a route needs one row here; test/audit-coverage.test.ts fails without it. */
export const RECORD_KINDS: readonly RecordKind[] = [
  {
    kind: "account",
    path: "/api/auth",
    from: "account where id = $user",
    columns: [
      "email",
      "name",
      "email_confirmed_at",
      "is_administrator",
      "disabled_at",
      "(select enabled_at from second_factor where user_id = account.id) as second_factor_enabled_at",
    ],
  },
  { kind: "login", path: "/api/auth/sessions/:id" },
  {
    kind: "notification_settings",
    path: "/api/notification-settings",
    from: "notification_person where owner_id = $owner and user_id = $user",
    columns: ["muted", "mail_frequency"],
    json: ["muted"],
  },
  {
    kind: "workspace",
    path: "/api/workspaces/:id",
    from: "workspace where id = $id and deleted_at is null",
    columns: ["name", "kind"],
  },
  {
    kind: "member",
    path: "/api/workspaces/:id/members/:userId",
    from: "member where workspace_id = $id and user_id = $userId",
    columns: ["role", "(select email from account where id = member.user_id) as name"],
  },
  {
    kind: "invitation",
    path: "/api/workspaces/:id/invitations/:invitationId",
    from: "invitation where workspace_id = $id and id = $invitationId",
    columns: ["role", "email", "invited_by", "expires_at"],
  },
  { kind: "invitation", path: "/api/invitations" },
  {
    kind: "user",
    path: "/api/admin/users/:userId",
    from: "account where id = $userId",
    columns: ["email", "name", "is_administrator", "disabled_at"],
  },
  {
    kind: "account_invitation",
    path: "/api/admin/invitations/:invitationId",
    from: "account_invitation where id = $invitationId",
    columns: ["email", "invited_by", "expires_at"],
  },
  {
    kind: "workspace_rules",
    path: "/api/admin/workspaces/:workspaceId",
    from: "workspace where id = $workspaceId",
    columns: ["name", "limits", "retention_days"],
    json: ["limits"],
  },
  {
    kind: "workspace",
    path: "/api/account",
    from: "workspace where id = $owner",
    columns: ["name", "error_workflow_id"],
  },
  {
    kind: "variable",
    path: "/api/variables/:name",
    from: "variable where name = $name and owner_id = $owner",
    columns: ["name", "secret", "case when secret = 0 then value end as value", "updated_at"],
    json: ["value"],
  },
  {
    kind: "connection",
    path: "/api/connections/:id",
    from: `connection where ${OWNED}`,
    columns: [
      "kind",
      "name",
      "app",
      "hosts",
      "fields",
      "settings",
      "status",
      "account",
      "created_by",
      "updated_at",
    ],
    json: ["hosts", "fields", "settings"],
  },
  { kind: "connection", path: "/api/connections/finish" },
  {
    kind: "oauth_client",
    path: "/api/oauth-clients/:app",
    from: "app_oauth_client where app = $app",
    columns: ["app as name", "client_id", "updated_at"],
  },
  {
    kind: "stored_value",
    path: "/api/store/:scope/:key",
    from: "store_value where owner_id = $owner and scope = $scope and key = $key",
    columns: ["key as name", "value", "version", "expires_at"],
    json: ["value"],
  },
  {
    kind: "workflow",
    path: "/api/workflows/:id",
    from: `workflow where ${OWNED} and deleted_at is null`,
    columns: [
      "name",
      "description",
      "version",
      "active",
      "folder",
      "tags",
      "settings",
      "graph",
      "api_enabled",
      "endpoint_name",
      "api_authentication",
      "api_sync",
      "response_step_id",
      "api_custom_response",
      "form_enabled",
      "form_settings",
    ],
    json: ["tags", "settings", "graph", "api_custom_response", "form_settings"],
  },
  {
    kind: "draft",
    path: "/api/workflows/:id/draft",
    from: `workflow_draft as d join workflow as w on w.id = d.workflow_id
           where w.id = $id and w.owner_id = $owner and w.deleted_at is null`,
    columns: ["d.name", "d.base_version", "d.revision", "d.updated_by"],
  },
  { kind: "folder", path: "/api/workflows/folders" },
  {
    kind: "template",
    path: "/api/templates/:id",
    from: `template where ${OWNED}`,
    columns: ["name", "description", "category", "folder", "tags"],
    json: ["tags"],
  },
  { kind: "template", path: "/api/templates/import/:id", from: `template where ${OWNED}`, columns: ["name"] },
  {
    kind: "mcp_server",
    path: "/api/mcp-servers/:id",
    from: `mcp_server where ${OWNED}`,
    columns: ["name", "url", "stdio", "auth", "header_names", "is_connected", "connection_id", "updated_at"],
    json: ["header_names"],
  },
  { kind: "mcp_server", path: "/api/mcp-servers/callback" },
  {
    kind: "app",
    path: "/api/apps/:id",
    from: `api_app where ${OWNED}`,
    columns: ["title as name", "source_url", "server", "hidden", "operation_count", "read_at"],
    json: ["hidden"],
  },
  { kind: "app", path: "/api/apps/import" },
  {
    kind: "collection",
    path: "/api/v1/collections/:id",
    from: `collection where ${OWNED}`,
    columns: [
      "name",
      "shared_with_everyone",
      "case when upload_key_hash is null then 0 else 1 end as has_upload_key",
      "(select count(*) from collection_reader where collection_id = collection.id) as readers",
      "(select count(*) from collection_document where collection_id = collection.id) as documents",
    ],
  },
  {
    kind: "document",
    path: "/api/v1/documents/:id",
    from: `document where ${OWNED}`,
    columns: ["title as name", "status", "metadata", "bytes", "media_type"],
    json: ["metadata"],
  },
  { kind: "document", path: "/api/v1/documents" },
  { kind: "file", path: "/api/files" },
  {
    kind: "run_file",
    path: "/api/run-files/:id",
    from: `run_file where ${OWNED}`,
    columns: ["name", "content_type", "size"],
  },
  {
    kind: "run",
    path: "/api/tasks/:id",
    from: `task where ${OWNED}`,
    columns: [
      "workflow_id",
      "workflow_version",
      "status",
      "trigger",
      "(select count(*) from approval_decision as d where d.task_id = task.id) as decisions",
      "(select decision from approval_decision as d where d.task_id = task.id order by d.at desc limit 1) as last_decision",
    ],
  },
  { kind: "run", path: "/api/tasks/bulk" },
  {
    kind: "run",
    path: "/api/admin/tasks/:taskId",
    from: "task where id = $taskId",
    columns: ["workflow_id", "workflow_version", "status", "trigger"],
  },
  {
    kind: "event_subscription",
    path: "/api/event-subscriptions/:id",
    from: `event_subscription where ${OWNED}`,
    columns: ["url as name", "types", "workflow_id", "active", "disabled_reason", "updated_at"],
    json: ["types"],
  },
  {
    kind: "schedule",
    path: "/api/schedules/:id",
    from: `schedule where ${OWNED}`,
    columns: ["name", "workflow_id", "cron", "timezone", "input", "active", "misfire", "overlap"],
    json: ["input"],
  },
  {
    kind: "trigger",
    path: "/api/triggers/:id",
    from: `triggers where ${OWNED} and removed_at is null`,
    columns: ["name", "kind", "workflow_id", "slug", "settings", "active", "updated_at"],
    json: ["settings"],
  },
  {
    kind: "api_key",
    path: "/api/keys/:id",
    from: `api_key where ${OWNED}`,
    columns: [
      "name",
      "prefix",
      "scopes",
      "workflow_ids",
      "addresses",
      "created_by",
      "service_account_id",
      "expires_at",
      "revoked_at",
    ],
    json: ["scopes", "workflow_ids", "addresses"],
  },
  {
    kind: "service_account",
    path: "/api/service-accounts/:id",
    from: `service_account where ${OWNED}`,
    columns: ["name", "role", "created_by"],
  },
  { kind: "connected_app", path: "/api/oauth/authorization" },
  {
    kind: "connected_app",
    path: "/api/connected-apps/:id",
    from: "oauth_grant where id = $id and user_id = $user",
    columns: ["client_name as name", "owner_id as workspace_id", "target", "scopes"],
    json: ["scopes"],
  },
  {
    kind: "webhook",
    path: "/api/webhooks/:id",
    from: `webhook where ${OWNED}`,
    columns: [
      "name",
      "source",
      "workflow_id",
      "metadata",
      "signature_scheme",
      "signature_header",
      "active",
      "custom_response",
      "updated_at",
    ],
    json: ["metadata", "custom_response"],
  },
  {
    kind: "exposure",
    path: "/api/exposures/:kind/:id",
    from: "exposure where owner_id = $owner and kind = $kind and record_id = $id",
    columns: ["kind", "mcp", "a2a", "chat", "name", "description"],
  },
  {
    kind: "agent",
    path: "/api/agents/:id",
    from: `agent where ${OWNED}`,
    columns: [
      "name",
      "description",
      "role",
      "provider",
      "model",
      "capabilities",
      "system_prompt",
      "temperature",
      "tools",
      "limits",
      "connection_id",
      "base_url",
    ],
    json: ["capabilities", "tools", "limits"],
  },
  {
    kind: "team",
    path: "/api/agent-teams/:id",
    from: `team where ${OWNED}`,
    columns: ["name", "description", "agents", "external_agents", "topology", "limits", "updated_at"],
    json: ["agents", "external_agents", "topology", "limits"],
  },
  {
    kind: "session",
    path: "/api/agent-teams/sessions/:sessionId",
    from: "session where id = $sessionId and owner_id = $owner",
    columns: ["team_id", "objective", "status"],
  },
  { kind: "audit_log", path: "/api/audit-events" },
  { kind: "audit_log", path: "/api/admin/audit-events" },
];

/** The kind of record that a route is about; `isCreated` when the route adds one. */
export function kindOfRoute(url: string, creates?: string): { kind: RecordKind; isCreated: boolean } {
  const created = RECORD_KINDS.find(({ kind, path }) =>
    creates === undefined ? path !== url && collectionOf(path) === url : kind === creates,
  );
  if (created !== undefined) return { kind: created, isCreated: true };
  const [found] = RECORD_KINDS.filter(({ path }) => url === path || url.startsWith(`${path}/`)).toSorted(
    (a, b) => b.path.length - a.path.length,
  );
  return { kind: found ?? { kind: UNKNOWN_KIND, path: url }, isCreated: false };
}

/** The parameter of the path that is the id of the record. */
export function idParameterOf({ path }: RecordKind): string | undefined {
  return /:(\w+)$/.exec(path)?.[1];
}

function collectionOf(path: string): string {
  return path.replace(/\/:\w+$/, "");
}
