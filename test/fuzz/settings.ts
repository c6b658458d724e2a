/** The service under fuzz: nothing goes out, and no limit of calls a minute stands before the code behind it. */
export const fuzzSettings: Record<string, string> = {
  LOG_LEVEL: "error",
  EGRESS_DENY: "0.0.0.0/0,::/0",
  RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
  RATE_LIMIT_GENERATE_PER_MINUTE: "0",
  RATE_LIMIT_LOGIN_PER_MINUTE: "0",
  SYNC_TIMEOUT_MS: "500",
  TEAM_JOIN_WAIT_MS: "0",
};
