/** Settings of the fuzzed service: no outbound requests, and no rate limits in front of the code under test. */
export const fuzzSettings: Record<string, string> = {
  LOG_LEVEL: "error",
  EGRESS_DENY: "0.0.0.0/0,::/0",
  RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
  RATE_LIMIT_ENDPOINT_PER_MINUTE: "0",
  RATE_LIMIT_GENERATE_PER_MINUTE: "0",
  RATE_LIMIT_LOGIN_PER_MINUTE: "0",
  SYNC_TIMEOUT_MS: "500",
  TEAM_JOIN_WAIT_MS: "0",
};
