import { useCallback, useEffect, useState } from "react";
import type { PublicForm } from "../../contract/forms.ts";
import type { FormFiles } from "../flow/input-values.ts";
import type { FieldProblems } from "../../contract/input/check-input.ts";

export interface SentForm {
  status: string;
  output?: unknown;
}

interface Attempt {
  input: Record<string, unknown>;
  files: FormFiles;
  key: string;
  attempt: string;
}

type Outcome =
  | { kind: "sent"; sent: SentForm }
  | { kind: "refused"; message: string; fields?: FieldProblems; isKeyProblem: boolean }
  | { kind: "unreachable"; message: string };

const UNREACHABLE = "The service cannot be reached.";
const NOT_SENT = `${UNREACHABLE} Nothing you entered is lost; try again in a moment.`;
const addressOf = (slug: string): string => `/api/forms/${encodeURIComponent(slug)}`;

/** Without the clients of the rest of the page, which carry the session and would triple the weight. */
export function useForm(slug: string): LoadedForm & { reload: () => void } {
  const [state, setState] = useState<LoadedForm>({});
  const reload = useCallback((): void => {
    setState({});
    void readForm(slug).then(setState);
  }, [slug]);
  useEffect(reload, [reload]);
  return { ...state, reload };
}

interface LoadedForm {
  form?: PublicForm;
  error?: { title: string; message: string; canRetry: boolean };
}

async function readForm(slug: string): Promise<LoadedForm> {
  try {
    const response = await fetch(addressOf(slug));
    const body = (await response.json()) as { form?: PublicForm; error?: string; message?: string };
    if (body.form !== undefined) return { form: body.form };
    if (response.status === 404)
      return {
        error: {
          title: "Form not found",
          message: "It was closed or never existed. Check the link, or ask for a new one.",
          canRetry: false,
        },
      };
    return {
      error: {
        title: "This form is not available",
        message: "Try again later, or ask the person who sent it.",
        canRetry: true,
      },
    };
  } catch {
    return {
      error: {
        title: "This form could not be loaded",
        message: `${UNREACHABLE} Check your connection and try again.`,
        canRetry: true,
      },
    };
  }
}

/** Files are sent as a multipart body, whose content type the browser sets. */
function bodyOf(input: Record<string, unknown>, files: FormFiles): string | FormData {
  const chosen = Object.entries(files).flatMap(([name, list]) => list.map((file) => [name, file] as const));
  if (chosen.length === 0) return JSON.stringify({ input });
  const form = new FormData();
  form.append("input", JSON.stringify(input));
  for (const [name, file] of chosen) form.append(name, file);
  return form;
}

export async function sendForm(slug: string, { input, files, key, attempt }: Attempt): Promise<Outcome> {
  const content = bodyOf(input, files);
  try {
    const response = await fetch(addressOf(slug), {
      method: "POST",
      headers: {
        ...(typeof content === "string" ? { "content-type": "application/json" } : {}),
        "idempotency-key": attempt,
        ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      },
      body: content,
    });
    const body = (await response.json()) as SentForm & {
      message?: string;
      error?: string;
      details?: unknown;
    };
    if (response.ok) return { kind: "sent", sent: body };
    const message = MESSAGES[body.error ?? ""] ?? body.message ?? "The form could not be sent.";
    const isKeyProblem = KEY_ERRORS.has(body.error ?? "");
    return { kind: "refused", message, isKeyProblem, ...fieldProblems(body.details) };
  } catch {
    return { kind: "unreachable", message: NOT_SENT };
  }
}

/** Of input that is not valid, `details` lists the fields. Other errors have other details. */
function fieldProblems(details: unknown): { fields?: FieldProblems } {
  if (!Array.isArray(details)) return {};
  const problems = (details as { path: string; message: string }[]).filter(({ path }) => path !== "");
  if (problems.length === 0) return {};
  return { fields: Object.fromEntries(problems.map(({ path, message }) => [path, message])) };
}

const KEY_ERRORS: ReadonlySet<string> = new Set(["missing_api_key", "invalid_api_key"]);

/** Errors of the API in the words of a person who fills in a form. */
const MESSAGES: Readonly<Record<string, string>> = {
  missing_api_key: "This form needs an API key. Enter the key you were given.",
  invalid_api_key: "The API key is unknown, expired or revoked.",
  workflow_not_found: "This form was closed. Nothing was sent.",
  workflow_paused: "This form is paused. Nothing was sent; try again later.",
  execution_failed:
    "Your response was received, but could not be processed. Ask the person who sent you the form before you send it again.",
  rate_limited: "Too many responses at the moment. Try again in a minute.",
  limit_reached: "This form takes no more responses at the moment. Try again later.",
  payload_too_large: "A file or a text is too large. Send a smaller one.",
  idempotency_conflict:
    "An earlier version of your response was received. Submit again to send this one, too.",
};
