import { Ellipsis, GripVertical, Plus } from "lucide-react";
import { useState } from "react";
import {
  describeField,
  fieldsOf,
  freeFieldName,
  learnFields,
  moveField,
  type NamedField,
  withFields,
} from "../../../flow/input-schema-edit.ts";
import { Menu } from "../../../ui/menu.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { focusField } from "../panel-focus.ts";
import type { BuilderState } from "../use-builder.ts";
import { InputFieldForm } from "./input-field-form.tsx";

interface InputFieldsEditorProps {
  builder: BuilderState;
  /** A real input to learn fields from, such as the last delivery; by default the input of the last run. */
  learnFrom?: { label: string; input: unknown } | undefined;
}

/** The input fields of the draft. They make the run form, the form page, the checks of calls and agents' tools. */
export function InputFieldsEditor({ builder, learnFrom }: InputFieldsEditorProps) {
  const { draft, edit } = builder.history;
  const fields = fieldsOf(draft.inputSchema);
  const [open, setOpen] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const source = learnFrom ?? { label: "last run", input: builder.known.input };

  function change(next: readonly NamedField[], tag?: string): void {
    edit((before) => {
      const inputSchema = withFields(before.inputSchema, next);
      const { inputSchema: _before, ...rest } = before;
      return inputSchema === undefined ? rest : { ...rest, inputSchema };
    }, tag);
  }
  function add(): void {
    change([...fields, { name: freeFieldName(fields), field: { type: "string" }, required: false }]);
    setOpen(fields.length);
    focusField(`input-field-${fields.length}`);
  }
  function learn(): void {
    const learned = learnFields(fields, source.input);
    if (learned.length === fields.length) return showToast(`The ${source.label} has no new fields.`);
    change(learned);
  }
  function move(from: number, to: number): void {
    change(moveField(fields, from, to));
    setOpen(undefined);
  }

  return (
    <section className="stack tight" aria-label="Input fields">
      <div className="row">
        <h3 className="grow">Input fields</h3>
        {source.input !== undefined && (
          <button type="button" className="btn ghost tiny" onClick={learn}>
            Learn from {source.label}
          </button>
        )}
      </div>
      <div className="input-rows">
        {fields.map((named, index) => (
          <div key={index} data-field={`input-field-${index}`}>
            <div
              className={`input-row${over === index && dragged !== index ? " over" : ""}`}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                setOver(index);
              }}
              onDrop={() => {
                if (dragged !== undefined) move(dragged, index);
                setOver(undefined);
              }}
            >
              <span
                className="grip"
                draggable
                onDragStart={() => setDragged(index)}
                onDragEnd={() => {
                  setDragged(undefined);
                  setOver(undefined);
                }}
              >
                <GripVertical size={14} aria-hidden />
              </span>
              <button
                type="button"
                className="row-name grow ellipsis"
                aria-expanded={open === index}
                onClick={() => setOpen(open === index ? undefined : index)}
              >
                {named.name}
              </button>
              <span className="small muted nowrap">{describeField(named.field)}</span>
              {named.required && <span className="chip">Required</span>}
              <FieldMenu
                named={named}
                isFirst={index === 0}
                isLast={index === fields.length - 1}
                onEdit={() => setOpen(index)}
                onRequired={(required) => change(fields.with(index, { ...named, required }))}
                onMove={(by) => move(index, index + by)}
                onDelete={() => {
                  change(fields.toSpliced(index, 1));
                  setOpen(undefined);
                }}
              />
            </div>
            {open === index && (
              <InputFieldForm
                named={named}
                taken={fields.filter((_, other) => other !== index).map(({ name }) => name)}
                onChange={(next) => change(fields.with(index, next), `input-field-${index}`)}
              />
            )}
          </div>
        ))}
        <button type="button" className="btn ghost add-field" onClick={add}>
          <Plus size={14} /> Add field
        </button>
      </div>
    </section>
  );
}

interface FieldMenuProps {
  named: NamedField;
  isFirst: boolean;
  isLast: boolean;
  onEdit: () => void;
  onRequired: (required: boolean) => void;
  onMove: (by: 1 | -1) => void;
  onDelete: () => void;
}

function FieldMenu({ named, isFirst, isLast, onEdit, onRequired, onMove, onDelete }: FieldMenuProps) {
  return (
    <Menu
      trigger={
        <button type="button" className="btn ghost icon" aria-label={`Field ${named.name}`}>
          <Ellipsis size={14} />
        </button>
      }
      groups={[
        [
          { label: "Edit", onSelect: onEdit },
          {
            label: named.required ? "Make optional" : "Make required",
            onSelect: () => onRequired(!named.required),
          },
          { label: "Move up", disabled: isFirst, onSelect: () => onMove(-1) },
          { label: "Move down", disabled: isLast, onSelect: () => onMove(1) },
        ],
        [{ label: "Delete", danger: true, onSelect: onDelete }],
      ]}
    />
  );
}
