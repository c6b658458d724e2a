import {
  type Connection,
  createConnection,
  testConnection,
  testNewConnection,
  updateConnection,
  useConnectionMutation,
} from "../../api/connections.ts";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { OwnClient, RedirectAddress } from "./own-client.tsx";
import { SignInProgress } from "./sign-in-progress.tsx";
import { TestResult } from "./test-result.tsx";
import { type Subject, useConnectionForm } from "./use-connection-form.ts";
import { useSignIn } from "./use-sign-in.ts";
import { useUnfinishedConnection } from "./use-unfinished-connection.ts";
import { AppFields } from "./app-fields.tsx";

interface NewConnectionFormProps {
  subject: Subject;
  onCreated: (connection: Pick<Connection, "id" | "name"> & { hosts?: readonly string[] }) => void;
}

/** Enters a credential, tests it and saves it; with OAuth, signs in at the service. */
export function NewConnectionForm({ subject, onCreated }: NewConnectionFormProps) {
  const form = useConnectionForm(subject);
  const unfinished = useUnfinishedConnection();
  const signIn = useSignIn((id) => {
    unfinished.finish();
    onCreated({ id, name: form.name });
  }, unfinished.discard);
  const test = useConnectionMutation(() => testNewConnection(form.body));
  const save = useConnectionMutation(
    async (tested: boolean) => {
      const result = tested ? undefined : await test.mutateAsync(undefined);
      if (result?.status === "failing") return undefined;
      const created = await createConnection(form.body);
      // The result of the first test was not stored: the connection did not exist.
      if (tested || result?.status === "connected") await testConnection(created.id).catch(() => undefined);
      return created;
    },
    (created) => created && onCreated(created),
  );
  const createOnce = async (): Promise<string> => {
    const { kind: _kind, app: _app, ...changes } = form.body;
    const id = unfinished.id();
    // A second attempt must not create another one.
    return id === undefined ? unfinished.create(form.body) : (await updateConnection(id, changes)).id;
  };
  const hasFailed = test.data?.status === "failing";
  const isBusy = save.isPending || test.isPending || signIn.state === "starting";
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (form.problem !== undefined) return;
        if (form.signsIn) signIn.start(createOnce);
        else save.mutate(hasFailed);
      }}
    >
      <FormBody form={form} subject={subject} onEdit={test.reset} />
      {test.data !== undefined && <TestResult result={test.data} />}
      {(save.error ?? test.error) !== null && <Failure error={save.error ?? test.error} />}
      <SignInProgress signIn={signIn} />
      <div className="actions">
        {!form.signsIn && (
          <button
            type="button"
            className="btn"
            disabled={isBusy || form.problem !== undefined}
            onClick={() => test.mutate(undefined)}
          >
            {test.isPending && !save.isPending ? "Testing…" : "Test"}
          </button>
        )}
        <button type="submit" className="btn go" disabled={isBusy || form.problem !== undefined}>
          {form.signsIn
            ? `Connect${form.app === undefined ? "" : ` to ${form.app.title}`}`
            : hasFailed
              ? "Save anyway"
              : "Save"}
        </button>
      </div>
    </form>
  );
}

interface FormBodyProps {
  form: ReturnType<typeof useConnectionForm>;
  subject: Subject;
  /** A result is of the values that were tested. */
  onEdit: () => void;
}

function FormBody({ form, subject, onEdit }: FormBodyProps) {
  const auth = "auth" in subject ? subject.auth : undefined;
  const edited =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      onEdit();
      set(value);
    };
  const credential = (
    <ConnectionFields
      fields={form.fields}
      values={form.values}
      onChange={edited(form.setValues)}
      problem={form.problem}
    />
  );
  return (
    <>
      <TextField label="Name" value={form.name} onChange={form.setName} required />
      <AppFields app={form.app} values={form.appValues} onChange={edited(form.setAppValues)} />
      {form.app !== undefined && form.signsIn ? (
        <OwnClient app={form.app} help={auth?.help}>
          {credential}
        </OwnClient>
      ) : (
        <>
          {auth?.help !== undefined && <p className="small muted">{auth.help}</p>}
          {form.signsIn && <RedirectAddress />}
          {credential}
        </>
      )}
      {form.hasHosts && (
        <TextField
          label="Hosts"
          value={form.hosts}
          onChange={edited(form.setHosts)}
          required
          placeholder="api.example.com"
          hint="The credential is sent to these hosts only, also after redirects"
        />
      )}
    </>
  );
}
