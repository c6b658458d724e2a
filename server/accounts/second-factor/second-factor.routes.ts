import {
  confirmWithCodeSchema,
  recoveryCodesResponseSchema,
  secondFactorResponseSchema,
  secondFactorSetupResponseSchema,
} from "../../../contract/accounts.ts";
import { success } from "../../../contract/api.ts";
import { limitRate } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";
import { toIso } from "../../lib/clock.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import type { Accounts } from "../accounts.ts";
import type { SecondFactors } from "./second-factors.ts";

const tags = ["accounts"];

export interface SecondFactorRoutesDeps {
  accounts: Accounts;
  secondFactors: SecondFactors;
  /** Limits guesses of the password per account. */
  passwordLimiter: RateLimiter;
}

export function secondFactorRoutes(
  app: HttpServer,
  { accounts, secondFactors, passwordLimiter }: SecondFactorRoutesDeps,
): void {
  const preHandler = limitRate(passwordLimiter, (request) => request.userId);

  app.get(
    "/api/auth/second-factor",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "getSecondFactor",
        summary: "Read whether the second factor is on",
        description: "Also tells how many recovery codes are left.",
        response: { 200: secondFactorResponseSchema },
      },
    },
    async (request) => {
      const { enabledAt, recoveryCodesLeft } = await secondFactors.state(request.userId);
      const enabled = enabledAt !== null;
      return {
        ok: true as const,
        enabled,
        enabledAt: enabled ? toIso(enabledAt) : null,
        recoveryCodesLeft,
      };
    },
  );

  app.post(
    "/api/auth/second-factor/setup",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "setUpSecondFactor",
        summary: "Create the secret of an authenticator app",
        description:
          "Logins do not change until the secret is enabled with a code of the app. A second call replaces the secret.",
        errors: ["second_factor_enabled"],
        response: { 200: secondFactorSetupResponseSchema },
      },
    },
    async (request) => {
      const account = await accounts.find(request.userId);
      return { ok: true as const, ...(await secondFactors.prepare(account)) };
    },
  );

  app.post(
    "/api/auth/second-factor/enable",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "enableSecondFactor",
        summary: "Turn the second factor on",
        description:
          "Requires the password and a code of the app. From now on a login needs a code as well. The response has ten recovery codes, which are shown only once.",
        errors: [
          "invalid_credentials",
          "invalid_code",
          "second_factor_enabled",
          "second_factor_not_enabled",
          "rate_limited",
        ],
        body: confirmWithCodeSchema,
        response: { 200: recoveryCodesResponseSchema },
      },
      preHandler,
    },
    async (request) => {
      const { password, code } = request.body;
      await accounts.confirmPassword(request.userId, password);
      return { ok: true as const, recoveryCodes: await secondFactors.enable(request.userId, code) };
    },
  );

  app.post(
    "/api/auth/second-factor/recovery-codes",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "replaceRecoveryCodes",
        summary: "Replace the recovery codes",
        description: "Requires the password and a code. The old recovery codes stop working.",
        errors: ["invalid_credentials", "invalid_code", "second_factor_not_enabled", "rate_limited"],
        body: confirmWithCodeSchema,
        response: { 200: recoveryCodesResponseSchema },
      },
      preHandler,
    },
    async (request) => {
      const { password, code } = request.body;
      await accounts.confirmPassword(request.userId, password);
      const recoveryCodes = await secondFactors.replaceRecoveryCodes(request.userId, code);
      return { ok: true as const, recoveryCodes };
    },
  );

  app.post(
    "/api/auth/second-factor/disable",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "disableSecondFactor",
        summary: "Turn the second factor off",
        description: "Requires the password and a code of the app or a recovery code.",
        errors: ["invalid_credentials", "invalid_code", "second_factor_not_enabled", "rate_limited"],
        body: confirmWithCodeSchema,
        response: { 200: success({}) },
      },
      preHandler,
    },
    async (request) => {
      const { password, code } = request.body;
      await accounts.confirmPassword(request.userId, password);
      await secondFactors.disable(request.userId, code);
      return { ok: true as const };
    },
  );
}
