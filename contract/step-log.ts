import * as z from "zod";
import { timeSchema } from "./api.ts";

export const logLevelSchema = z.enum(["debug", "info", "warn", "error"]);
export type LogLevel = z.infer<typeof logLevelSchema>;

/** A line that a step wrote while it ran. */
export const logLineSchema = z
  .object({ at: timeSchema, level: logLevelSchema, message: z.string() })
  .meta({ id: "LogLine" });
export type LogLine = z.infer<typeof logLineSchema>;
