import { describe } from "vitest";
import { testRedis } from "../../server/databases/redis/testing/redis-contract.ts";

describe("Redis", () => {
  testRedis(() => process.env["TEST_REDIS_URL"]!);
});
