import { type FormEvent, useEffect, useRef, useState } from "react";
import type { PublicForm } from "../../../contract/forms.ts";
import type { FieldProblems } from "../../../contract/input/check-input.ts";
import type { InputSchema } from "../../../contract/input/input-field.ts";
import {
  fileProblems,
  type FormFiles,
  type FormValues,
  inputOf,
  valuesOf,
  withoutFiles,
} from "../../flow/input-values.ts";
import { Field } from "../../ui/field.tsx";
import { type SentForm, sendForm, useForm } from "../../api/public-form.ts";
import { FormResult } from "./form-result.tsx";
import { InputFields } from "./input-fields.tsx";

/** The public page of a form. It has no session and no menu: people who fill it in have no account. */
export function FormPage({ slug }: { slug: string }) {
  const { form, error, reload } = useForm(slug);
  const [sent, setSent] = useState<SentForm>();
  useEffect(() => {
    document.title = form?.title ?? "Form";
  }, [form]);
  return (
    <main className="form-page">
      {form === undefined && error === undefined && (
        <p className="muted" role="status">
          Loading …
        </p>
      )}
      {error !== undefined && (
        <section className="form-card">
          <h1>{error.title}</h1>
          <p className="muted">{error.message}</p>
          {error.canRetry && (
            <div>
              <button type="button" className="btn" onClick={reload}>
                Try again
              </button>
            </div>
          )}
        </section>
      )}
      {form !== undefined && (
        <section className="form-card">
          <h1>{form.title}</h1>
          {sent === undefined ? (
            <>
              {form.description !== "" && <p className="form-text">{form.description}</p>}
              <Questions slug={slug} form={form} onSent={setSent} />
            </>
          ) : (
            <Thanks form={form} sent={sent} onAgain={() => setSent(undefined)} />
          )}
        </section>
      )}
    </main>
  );
}

interface QuestionsProps {
  slug: string;
  form: PublicForm;
  onSent: (sent: SentForm) => void;
}

function Questions({ slug, form, onSent }: QuestionsProps) {
  const schema = form.schema as InputSchema;
  const [values, setValues] = useState<FormValues>(() => valuesOf(schema, {}));
  const [files, setFiles] = useState<FormFiles>({});
  const [problems, setProblems] = useState<FieldProblems>({});
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  /** The same for repeated sends of one attempt, so that a double click starts one run. */
  const attempt = useRef(newAttempt());

  function show(found: FieldProblems): void {
    setProblems(found);
    // After the render that marks the fields.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const { input, problems: typed } = inputOf(withoutFiles(schema), values);
    const found = { ...typed, ...fileProblems(schema, files) };
    setFailure(undefined);
    show(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    const outcome = await sendForm(slug, { input, files, key, attempt: attempt.current });
    setSending(false);
    // Without an answer the run may have started: the next send must find it.
    if (outcome.kind !== "unreachable") attempt.current = newAttempt();
    if (outcome.kind === "sent") return onSent(outcome.sent);
    if (outcome.kind === "refused" && outcome.fields !== undefined) {
      show(outcome.fields);
      return setFailure(problemsWithoutField(schema, outcome.fields));
    }
    setFailure(outcome.message);
    if (outcome.kind === "refused" && outcome.isKeyProblem)
      element.current?.querySelector<HTMLElement>("input[type=password]")?.focus();
  }

  return (
    <form ref={element} className="stack" noValidate onSubmit={(event) => void send(event)}>
      {form.keyRequired && (
        <Field label="API key" hint="Used to send this form. It is not stored.">
          {(ids) => (
            <input
              className="in"
              {...ids}
              type="password"
              autoComplete="off"
              aria-required
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
      )}
      <InputFields
        schema={schema}
        values={values}
        onChange={setValues}
        problems={problems}
        onFiles={(name, chosen) => setFiles((before) => ({ ...before, [name]: chosen }))}
      />
      <div role="alert">{failure !== undefined && <p className="notice bad">{failure}</p>}</div>
      <div>
        <button type="submit" className="btn go" disabled={isSending}>
          {isSending ? "Sending …" : form.submitLabel}
        </button>
      </div>
    </form>
  );
}

function Thanks({ form, sent, onAgain }: { form: PublicForm; sent: SentForm; onAgain: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="stack" role="status">
      <p ref={heading} tabIndex={-1} className="form-text">
        {form.successMessage}
      </p>
      {sent.output !== undefined && sent.output !== null && <FormResult output={sent.output} />}
      <div>
        <button type="button" className="btn" onClick={onAgain}>
          Send another response
        </button>
      </div>
    </div>
  );
}

/** The form has changed since the page was loaded: what is wrong with a field that the page does not show. */
function problemsWithoutField({ properties = {} }: InputSchema, problems: FieldProblems): string | undefined {
  const hidden = Object.entries(problems).filter(
    ([path]) => !Object.keys(properties).includes(path.split(/[.[]/)[0] ?? "") && !(path in properties),
  );
  if (hidden.length === 0) return undefined;
  return `${hidden.map(([, sentence]) => sentence).join(" ")} This form has changed: reload the page.`;
}

/** Not `randomUUID`, which browsers offer only over HTTPS. */
function newAttempt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `form-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
