import * as z from "zod";
import { success, text } from "./api.ts";
import { taskStatusSchema } from "./tasks.ts";

const title = text(200);
const description = text(2000);
const submitLabel = text(60);
const successMessage = text(1000);
const authentication = z
  .boolean()
  .describe("Whether sending it needs an API key; without a value, as the endpoint does");

/** Omitted fields keep their value; `null` clears a field. */
export const formSettingsInputSchema = z
  .object({
    enabled: z.boolean().optional(),
    title: title.nullable().optional(),
    description: description.nullable().optional(),
    submitLabel: submitLabel.nullable().optional().describe("The text of the button; `Submit` by default"),
    successMessage: successMessage.nullable().optional().describe("Shown after the form was sent"),
    authentication: authentication.nullable().optional(),
  })
  .meta({ id: "NewFormSettings" });
export type FormSettingsInput = z.infer<typeof formSettingsInputSchema>;

export const formSettingsSchema = z
  .object({
    enabled: z.boolean(),
    title: title.optional(),
    description: description.optional(),
    submitLabel: submitLabel.optional(),
    successMessage: successMessage.optional(),
    authentication: authentication.optional(),
  })
  .meta({
    id: "FormSettings",
    description: "The form page at /f/<endpoint name or workflow id>",
  });
export type FormSettings = z.infer<typeof formSettingsSchema>;

/** What anyone who knows the address of a form may read. */
export const publicFormSchema = z
  .object({
    title: z.string(),
    description: z.string(),
    submitLabel: z.string(),
    successMessage: z.string(),
    schema: z.looseObject({}).describe("The input schema of the workflow"),
    keyRequired: z.boolean().describe("Sending it requires an API key of the owner"),
  })
  .meta({ id: "PublicForm" });
export type PublicForm = z.infer<typeof publicFormSchema>;

export const publicFormResponseSchema = success({ form: publicFormSchema });

export const formSentResponseSchema = success({
  taskId: z.string(),
  status: taskStatusSchema,
  output: z.unknown().optional().describe("Of a run that completed while the call waited"),
});
