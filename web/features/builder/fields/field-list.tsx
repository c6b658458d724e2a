import { Ellipsis, GripVertical, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  describeField,
  type FieldKind,
  freeFieldName,
  moveField,
  type NamedField,
} from "../../../flow/input-schema-edit.ts";
import { Menu } from "../../../ui/menu.tsx";
import { focusField } from "../panel-focus.ts";
import { FieldForm } from "./field-form.tsx";
import "./field-list.css";

interface FieldListProps {
  title: string;
  /** At the right of the title. */
  aside?: ReactNode;
  fields: readonly NamedField[];
  /** `tag` joins the changes of one field to one step of undo. */
  onChange: (fields: readonly NamedField[], tag?: string) => void;
  kinds: readonly { value: FieldKind; label: string }[];
  /** The fields of a model's answer: people do not fill them in, and a new one is required. */
  isAnswer?: boolean;
  /** How steps read the field with this name. */
  referenceTo: (name: string) => string;
}

/** The fields of an object schema: added, ordered by dragging or by menu, and edited in place. */
export function FieldList(props: FieldListProps) {
  const { title, aside, fields, onChange, kinds, isAnswer = false, referenceTo } = props;
  const [open, setOpen] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const slot = (index: number): string => `${title}-${index}`;

  function add(): void {
    onChange([...fields, { name: freeFieldName(fields), field: { type: "string" }, required: isAnswer }]);
    setOpen(fields.length);
    focusField(slot(fields.length));
  }
  function move(from: number, to: number): void {
    onChange(moveField(fields, from, to));
    setOpen(undefined);
  }

  return (
    <section className="stack tight" aria-label={title}>
      <div className="row">
        <h3 className="grow">{title}</h3>
        {aside}
      </div>
      <div className="input-rows">
        {fields.map((named, index) => (
          <div key={index} data-field={slot(index)}>
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
                onRequired={(required) => onChange(fields.with(index, { ...named, required }))}
                onMove={(by) => move(index, index + by)}
                onDelete={() => {
                  onChange(fields.toSpliced(index, 1));
                  setOpen(undefined);
                }}
              />
            </div>
            {open === index && (
              <FieldForm
                named={named}
                taken={fields.filter((_, other) => other !== index).map(({ name }) => name)}
                kinds={kinds}
                isAnswer={isAnswer}
                referenceTo={referenceTo}
                onChange={(next) => onChange(fields.with(index, next), slot(index))}
              />
            )}
          </div>
        ))}
        <button type="button" className="btn ghost add-field" onClick={add}>
          <Plus size={14} /> {isAnswer ? "Add answer field" : "Add field"}
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
