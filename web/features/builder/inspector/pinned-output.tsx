import { Pin, PinOff } from "lucide-react";
import { useState } from "react";
import type { InputSchema } from "../../../../contract/input/input-field.ts";
import { type FormValues, inputOf, valuesOf } from "../../../flow/input-values.ts";
import { pinnedFields, pinnedValue } from "../../../flow/pinned-fields.ts";
import { TextField } from "../../../ui/field.tsx";
import { parseJson } from "../../../ui/parse-json.ts";
import { Segments } from "../../../ui/segments.tsx";
import { InputFields } from "../../forms/input-fields.tsx";
import type { Pinning } from "../run/use-pins.ts";

interface PinnedOutputProps {
  stepId: string;
  pinning: Pinning;
}

/** A fixed output, so that a slow, costly or unfinished step does not have to run: as fields, or as JSON. */
export function PinnedOutput({ stepId, pinning: { pins, pin, unpin } }: PinnedOutputProps) {
  const pinned = pins.get(stepId) ?? {};
  // The fields stay the same while they are filled in.
  const [schema, setSchema] = useState(() => pinnedFields(pinned));
  const [isForm, setForm] = useState(schema !== undefined);
  return (
    <div className="output-pane">
      <div className="row">
        <span className="chip wait">
          <Pin size={12} aria-hidden /> Pinned
        </span>
        <span className="grow" />
        {(schema !== undefined || pinnedFields(pinned) !== undefined) && (
          <Segments
            label="Edit as"
            value={isForm ? "form" : "json"}
            onChange={(mode) => {
              if (mode === "form") setSchema(pinnedFields(pinned));
              setForm(mode === "form");
            }}
            options={[
              { value: "form", label: "Fields" },
              { value: "json", label: "JSON" },
            ]}
          />
        )}
        <button type="button" className="btn ghost tiny" onClick={() => unpin(stepId)}>
          <PinOff size={13} /> Unpin
        </button>
      </div>
      {isForm && schema !== undefined ? (
        <PinnedForm schema={schema} pinned={pinned} onChange={(value) => pin(stepId, value)} />
      ) : (
        <PinnedJson pinned={pinned} onChange={(value) => pin(stepId, value)} />
      )}
      <p className="hint">
        Tests use this output instead of running the step. Other runs ignore it. Stored in this browser.
      </p>
    </div>
  );
}

interface PinnedValueProps {
  pinned: unknown;
  onChange: (value: unknown) => void;
}

function PinnedForm({ schema, pinned, onChange }: PinnedValueProps & { schema: InputSchema }) {
  const [values, setValues] = useState(() => valuesOf(schema, pinned));
  function change(next: FormValues): void {
    setValues(next);
    const value = pinnedValue(schema, next);
    if (value !== undefined) onChange(value);
  }
  return (
    <section className="stack tight" aria-label="Sample output">
      <InputFields
        schema={schema}
        values={values}
        onChange={change}
        problems={inputOf(schema, values).problems}
      />
    </section>
  );
}

function PinnedJson({ pinned, onChange }: PinnedValueProps) {
  const [text, setText] = useState(() => JSON.stringify(pinned, null, 2));
  const { error } = parseJson(text);
  return (
    <TextField
      label="Sample output (JSON)"
      mono
      rows={12}
      value={text}
      error={error}
      onChange={(next) => {
        setText(next);
        const read = parseJson(next);
        if (read.error === undefined) onChange(read.value);
      }}
    />
  );
}
