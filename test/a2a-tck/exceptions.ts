/** Tests of the TCK that fail for a reason that is not in Baton, or by a decision. Absent `agent` or `binding`: any. */
interface Exception {
  test: string;
  agent?: "team" | "workflow";
  binding?: "jsonrpc" | "rest";
  reason: string;
}

const LOOP = "The test's HTTP client is kept from the test before, whose event loop is closed.";

const LOCATION =
  "Asks for the field `in` of an API key scheme. 1.0 calls it `location` (a2a.proto, APIKeySecurityScheme).";
const CONTEXT =
  "Sends a contextId of its own. 1.0 lets an agent refuse that (3.4.1): the context of a team is one of its sessions.";

const ofTeam = (reason: string, tests: readonly string[]): Exception[] =>
  tests.map((test) => ({ test, agent: "team", reason }));

export const exceptions: readonly Exception[] = [
  ...ofTeam(LOCATION, [
    "test_security_scheme_structure_compliance",
    "test_authentication_scheme_consistency",
    "test_security_scheme_consistency",
  ]),
  ...ofTeam(CONTEXT, [
    "test_filter_by_context_id",
    "test_combined_filters",
    "test_custom_page_size",
    "test_page_token_navigation",
    "test_last_page_detection",
    "test_total_size_accuracy",
    "test_default_page_size_is_50",
  ]),
  ...ofTeam("Takes the name of the header `x-a2a-secret` in the card for a secret.", [
    "test_sensitive_information_protection",
  ]),
  ...ofTeam("Sends a wrong Authorization header beside the right secret of the team, which is enough.", [
    "test_authentication_scheme_validation",
  ]),
  ...ofTeam(
    "Sends a binary file. The agents of a team read text: ContentTypeNotSupportedError is the error of 1.0 for it.",
    ["test_binary_data_handling"],
  ),
  {
    test: "test_tasks_list_with_existing_tasks",
    reason: "The test passes a text where its own helper expects a message, before it sends anything.",
  },
  {
    test: "test_rapid_sequential_requests",
    reason:
      "Sends ten texts under one messageId. 1.0 lets an agent detect duplicates by it (3.3.1): another text is a client error.",
  },
  {
    test: "test_task_state_transitions",
    agent: "workflow",
    reason: "Sends a second message while the workflow works. 1.0 lets an agent refuse it (3.3.3).",
  },
  {
    test: "test_send_streaming_message_with_push_notification_config",
    reason:
      "The receiver listens at the port of the test before and gets its messages; the test looks only at the first one.",
  },
  { test: "test_tasks_subscribe", binding: "rest", reason: LOOP },
  { test: "test_sse_event_format_compliance", binding: "rest", reason: LOOP },
];

export function exceptionOf(name: string, agent: string, binding: string): string | undefined {
  return exceptions.find(
    (exception) =>
      name === exception.test &&
      (exception.agent ?? agent) === agent &&
      (exception.binding ?? binding) === binding,
  )?.reason;
}
