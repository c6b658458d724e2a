/**
 * Every error code of the service, with its policy. Clients, stored runs and operators' scripts depend on the codes:
 * a code is never renamed, and never changes its status. A code that is in none of the tables does not compile.
 */
interface ErrorPolicy {
  /** Status of the HTTP response. Codes without one never reach a client: the response is `internal_error`. */
  status?: number;
  /** A retry cannot succeed: the engine fails the step regardless of `maxRetries`. */
  permanent?: boolean;
}

/** Codes of HTTP responses; socket acknowledgements use them, too. */
export const API_ERRORS = {
  invalid_request: { status: 400 },
  invalid_json: { status: 400 },
  unknown_step: { status: 400 },
  invalid_message: { status: 400 },
  invalid_session: { status: 400 },
  file_required: { status: 400 },
  mcp_authorization_failed: { status: 400 },
  connection_authorization_failed: { status: 400 },
  weak_password: { status: 400 },
  invalid_link: { status: 400 },
  second_factor_required: { status: 401 },
  invalid_code: { status: 401 },
  invalid_challenge: { status: 401 },
  provider_login_failed: { status: 401 },
  missing_token: { status: 401 },
  invalid_token: { status: 401 },
  invalid_credentials: { status: 401 },
  missing_api_key: { status: 401 },
  invalid_api_key: { status: 401 },
  missing_secret: { status: 401 },
  forbidden: { status: 403 },
  insufficient_scope: { status: 403 },
  address_not_allowed: { status: 403 },
  egress_denied: { status: 403, permanent: true },
  connection_host_not_allowed: { status: 403, permanent: true },
  account_disabled: { status: 403 },
  registration_closed: { status: 403 },
  setup_code_required: { status: 403 },
  password_login_disabled: { status: 403 },
  invalid_secret: { status: 403 },
  invalid_signature: { status: 403 },
  unknown_agent: { status: 403 },
  not_found: { status: 404 },
  email_taken: { status: 409 },
  second_factor_enabled: { status: 409 },
  second_factor_not_enabled: { status: 409 },
  slug_taken: { status: 409 },
  name_taken: { status: 409 },
  version_conflict: { status: 409 },
  workflow_paused: { status: 409 },
  run_skipped: { status: 409 },
  idempotency_conflict: { status: 409 },
  source_taken: { status: 409 },
  transfer_conflict: { status: 409 },
  last_owner: { status: 409 },
  last_administrator: { status: 409 },
  personal_workspace: { status: 409 },
  mcp_authorization_required: { status: 409, permanent: true },
  connection_authorization_required: { status: 409, permanent: true },
  app_in_use: { status: 409 },
  connection_in_use: { status: 409 },
  variable_exists: { status: 409 },
  task_not_failed: { status: 409 },
  task_not_waiting: { status: 409 },
  already_decided: { status: 409 },
  task_finished: { status: 409 },
  document_deleted: { status: 409 },
  embedding_model_mismatch: { status: 409 },
  delivery_not_kept: { status: 409 },
  session_cancelled: { status: 409 },
  ingestion_stopped: { status: 409 },
  session_ended: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  host_not_allowed: { status: 421 },
  invalid_workflow: { status: 422 },
  agent_stopped: { status: 422 },
  generation_failed: { status: 422 },
  unreadable_document: { status: 422 },
  no_text: { status: 422 },
  fetch_failed: { status: 422 },
  rate_limited: { status: 429 },
  limit_reached: { status: 429 },
  execution_failed: { status: 500 },
  internal_error: { status: 500 },
  mcp_failed: { status: 502 },
  unavailable: { status: 503 },
  llm_not_configured: { status: 503, permanent: true },
  model_failed: { status: 503 },
  storage_unavailable: { status: 503 },
  mail_not_configured: { status: 503 },
  embedding_failed: { status: 503 },
  embedding_not_configured: { status: 503 },
  execution_timeout: { status: 504 },
} as const satisfies Record<string, ErrorPolicy & { status: number }>;

/** Resources that can be missing: the code of each is `<noun>_not_found`, with status 404. */
export const RESOURCES = [
  "agent",
  "api_key",
  "app",
  "approval",
  "approval_link",
  "chat",
  "chunk",
  "collection",
  "connected_app",
  "connection",
  "delivery",
  "document",
  "document_file",
  "document_page",
  "event_subscription",
  "file",
  "invitation",
  "mcp_server",
  "member",
  "resume_url",
  "schedule",
  "service_account",
  "session",
  "store_value",
  "task",
  "team",
  "template",
  "tool_call",
  "trigger",
  "user",
  "variable",
  "version",
  "webhook",
  "workflow",
  "workspace",
] as const;
export type ResourceNoun = (typeof RESOURCES)[number];

export type ApiErrorCode = keyof typeof API_ERRORS | `${ResourceNoun}_not_found`;

/** Codes that are stored in step results and in the error of a task, in addition to the API codes that a step may raise. */
const STEP_ERRORS = {
  aborted: {},
  app_action_not_found: { permanent: true },
  approval_timeout: { permanent: true },
  code_failed: {},
  connection_failed: {},
  depth_exceeded: { permanent: true },
  document_taken_over: {},
  email_failed: {},
  event_timeout: { permanent: true },
  expression_failed: {},
  expression_timeout: { permanent: true },
  external_agent_failed: {},
  file_failed: {},
  file_store_refused: {},
  file_store_unavailable: {},
  file_too_large: { permanent: true },
  folder_full: { permanent: true },
  folder_not_empty: { permanent: true },
  http_error: {},
  invalid_delay: { permanent: true },
  invalid_field: { permanent: true },
  invalid_items: { permanent: true },
  invalid_path: { permanent: true },
  invalid_pattern: { permanent: true },
  invalid_response: {},
  invalid_url: {},
  is_a_folder: { permanent: true },
  iteration_limit: { permanent: true },
  mcp_invalid_arguments: { permanent: true },
  mcp_tool_failed: {},
  mcp_tool_not_found: { permanent: true },
  missing_output: { permanent: true },
  not_a_folder: { permanent: true },
  output_too_large: { permanent: true },
  path_outside_folder: { permanent: true },
  pattern_too_costly: { permanent: true },
  poison_session: {},
  poison_task: {},
  query_failed: {},
  rejected: { permanent: true },
  request_timeout: {},
  response_too_large: {},
  run_timeout: { permanent: true },
  secret_unreadable: {},
  smtp_not_configured: { permanent: true },
  step_failed: {},
  step_timeout: {},
  sub_workflow_cancelled: { permanent: true },
  sub_workflow_failed: {},
  too_many_redirects: {},
  tool_failed: {},
  unreadable_file: { permanent: true },
  unknown_step_type: { permanent: true },
  workflow_failed: {},
} as const satisfies Record<string, ErrorPolicy>;

export type StepErrorCode = keyof typeof STEP_ERRORS;

/** Codes that only a socket acknowledgement carries. */
type SocketErrorCode = "too_many_watched";

/** Codes of a failed start or operator command. They are printed in the terminal and never sent to a client. */
type OperatorErrorCode =
  | "another_source"
  | "backup_damaged"
  | "cannot_listen"
  | "data_folder_in_use"
  | "data_folder_not_empty"
  | "data_folder_not_in_use"
  | "database_address"
  | "database_certificate"
  | "database_damaged"
  | "database_encoding"
  | "database_login_refused"
  | "database_missing"
  | "database_no_rights"
  | "database_no_schema"
  | "database_no_transactions"
  | "database_pool_too_small"
  | "database_read_only"
  | "database_refused"
  | "database_silent"
  | "database_tls"
  | "database_too_old"
  | "database_unreachable"
  | "database_unreadable"
  | "encryption_key_differs"
  | "file_not_moved"
  | "half_moved"
  | "invalid_config"
  | "invalid_egress_rule"
  | "invalid_encryption_key"
  | "invalid_target"
  | "key_file_damaged"
  | "no_bucket"
  | "audit_log_broken"
  | "no_instance"
  | "not_embedded"
  | "not_the_same"
  | "row_refused"
  | "schema_too_new"
  | "target_not_empty"
  | "usage";

export type ErrorCode = ApiErrorCode | StepErrorCode | SocketErrorCode | OperatorErrorCode;

const policies: ReadonlyMap<string, ErrorPolicy> = new Map<string, ErrorPolicy>([
  ...Object.entries<ErrorPolicy>(API_ERRORS),
  ...Object.entries<ErrorPolicy>(STEP_ERRORS),
  ...RESOURCES.map((noun) => [`${noun}_not_found`, { status: 404 }] as const),
]);

/** The status of the response to a request that fails with this code. */
export function statusOfError(code: ErrorCode): number {
  return policies.get(code)?.status ?? 500;
}

export function isPermanentError(code: ErrorCode): boolean {
  return policies.get(code)?.permanent ?? false;
}

/** Maps a stored code, which another version may have written, to `internal_error` if it is unknown. */
export function knownErrorCode(stored: string): ErrorCode {
  return policies.has(stored) ? (stored as ErrorCode) : "internal_error";
}
