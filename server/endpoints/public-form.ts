import type { FormSettings, PublicForm } from "../../contract/forms.ts";
import type { Endpoint } from "./endpoint.sql.ts";

export type FormEndpoint = Endpoint & { form: FormSettings };

/** Nothing else about the workflow may leave the service: a form is readable without a key. */
export function toPublicForm({ form, workflow, authentication }: FormEndpoint): PublicForm {
  return {
    title: form.title ?? "Form",
    description: form.description ?? "",
    submitLabel: form.submitLabel ?? "Submit",
    successMessage: form.successMessage ?? "Thank you. Your answers were received.",
    schema: { type: "object", ...workflow.graph.inputSchema },
    keyRequired: authentication,
  };
}
