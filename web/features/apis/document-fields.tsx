import { useId, useState } from "react";
import { Field, TextField } from "../../ui/field.tsx";

/** A document from a file or pasted. The file is read here, so that both are one text. */
export function DocumentText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const fileId = useId();
  const [file, setFile] = useState<{ name: string; length: number }>();
  return (
    <>
      <div className="field">
        <div className="name">
          <label htmlFor={fileId} className="grow">
            File
          </label>
        </div>
        <input
          id={fileId}
          type="file"
          className="in"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen === undefined) return;
            void chosen.text().then((text) => {
              setFile({ name: chosen.name, length: text.length });
              onChange(text);
            });
          }}
        />
      </div>
      {file === undefined ? (
        <TextField
          label="Or paste it"
          value={value}
          onChange={onChange}
          rows={6}
          mono
          placeholder="openapi: 3.1.0"
        />
      ) : (
        // Megabytes in a text box would make typing slow.
        <p className="small muted">
          {file.name}, {(file.length / 1e6).toFixed(1)} MB
        </p>
      )}
    </>
  );
}

/** The address of the API, with those of the document as suggestions. */
export function ServerField({
  value,
  onChange,
  servers,
}: {
  value: string;
  onChange: (server: string) => void;
  servers: readonly string[];
}) {
  const listId = useId();
  return (
    <Field label="Server">
      {(ids) => (
        <>
          <input
            {...ids}
            className="in"
            list={listId}
            required
            placeholder="https://api.example.com/v1"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {servers.map((server) => (
              <option key={server} value={server} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
