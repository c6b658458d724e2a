import { ChevronDown } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { type AppField, type OptionsQuery, useAppOptions } from "../../../api/apps.ts";
import { optionsInput } from "../../../flow/app-fields.ts";
import { formatValue } from "../../../flow/form-fields.ts";
import { PickList } from "../../../ui/pick-list.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { Failure } from "../../../ui/states.tsx";
import type { ControlIds } from "../../../ui/field.tsx";
import { SettingField } from "../inspector/setting-field.tsx";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";
import "./options-field.css";

export interface OptionsFieldProps {
  app: string;
  connection: string | undefined;
  field: AppField;
  /** The values of all fields: options may depend on them. */
  given: Readonly<Record<string, unknown>>;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  /** Without placeholders, as in a trigger, an own value is plain text. */
  isPlain?: boolean;
}

/** A field whose choices the app knows: searched and paged. Any other value and a placeholder are possible too. */
export function OptionsField(props: OptionsFieldProps) {
  const { app, connection, field, given, value, onChange, error, isPlain = false } = props;
  const [isOwn, setOwn] = useState(false);
  const input = optionsInput(field, given);
  const isPlaceholder = typeof value === "string" && value.includes("{{");
  const hasOptions = connection !== undefined && input !== undefined;
  if (hasOptions && !isPlaceholder && !isOwn)
    return (
      <SettingField label={field.title} hint={field.description} error={error}>
        {(ids) => (
          <OptionPicker
            ids={ids}
            field={field}
            query={{ app, options: field.options ?? "", connection, input }}
            value={value}
            onChange={onChange}
            enterOwn={isPlain ? "Enter a value" : "Enter a value or placeholder"}
            onEnterOwn={() => setOwn(true)}
          />
        )}
      </SettingField>
    );
  return (
    <SettingField
      label={field.title}
      hint={field.description}
      error={error}
      stacked={!isPlain}
      aside={
        hasOptions && (
          <button
            type="button"
            className="btn ghost tiny"
            onClick={() => {
              setOwn(false);
              if (isPlaceholder) onChange(undefined);
            }}
          >
            Select from list
          </button>
        )
      }
    >
      {(ids) => <OwnValue {...{ ids, field, value, onChange, isPlain }} />}
    </SettingField>
  );
}

interface OptionPickerProps {
  ids: ControlIds;
  field: AppField;
  query: Omit<OptionsQuery, "search">;
  value: unknown;
  onChange: (value: unknown) => void;
  enterOwn: string;
  onEnterOwn: () => void;
}

/** A button with the name of the value; it opens the list of options. */
function OptionPicker({ ids, field, query, value, onChange, enterOwn, onEnterOwn }: OptionPickerProps) {
  const [search, setSearch] = useState("");
  const [isOpen, setOpen] = useState(false);
  const searched = useDeferredValue(search);
  // The first page gives the stored value its name.
  const known = useAppOptions({ ...query, search: "" });
  const list = useAppOptions(isOpen ? { ...query, search: searched } : undefined);
  const chosen = known.options?.find((option) => String(option.value) === String(value));
  return (
    <>
      <Popover
        label={field.title}
        align="start"
        className="options-list"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            {...ids}
            aria-labelledby={`${ids.id}-label ${ids.id}`}
            className="in options-button"
          >
            <span className={`grow ellipsis${value === undefined ? " muted" : ""}`}>
              {chosen?.label ?? (value === undefined ? "Select…" : formatValue(value))}
            </span>
            <ChevronDown size={14} aria-hidden />
          </button>
        }
      >
        <PickList
          label={`Search ${field.title.toLowerCase()}`}
          text={search}
          onText={setSearch}
          items={(list.options ?? []).map((option) => ({
            key: String(option.value),
            title: option.label,
            ...(String(option.value) === option.label ? {} : { detail: String(option.value) }),
          }))}
          emptyMessage={list.isLoading ? "Loading …" : list.error === null ? "Nothing matches." : ""}
          onPick={(key) => {
            const option = list.options?.find((one) => String(one.value) === key);
            // Many vendors number their records; a field for text takes the number as text.
            onChange(field.type === "string" ? key : (option?.value ?? key));
            setOpen(false);
            setSearch("");
          }}
        />
        {list.error !== null && <Failure error={list.error} retry={() => void list.refetch()} />}
        <div className="row wrap">
          {list.hasMore && (
            <button type="button" className="btn tiny" disabled={list.isLoadingMore} onClick={list.loadMore}>
              {list.isLoadingMore ? "Loading …" : "Show more"}
            </button>
          )}
          <button type="button" className="btn ghost tiny" onClick={onEnterOwn}>
            {enterOwn}
          </button>
        </div>
      </Popover>
      {known.error !== null && <p className="small wrong">{known.error.message}</p>}
    </>
  );
}

interface OwnValueProps {
  ids: ControlIds;
  field: AppField;
  value: unknown;
  onChange: (value: unknown) => void;
  isPlain: boolean;
}

function OwnValue({ ids, field, value, onChange, isPlain }: OwnValueProps) {
  const set = (text: string): void => onChange(text === "" ? undefined : text);
  if (isPlain)
    return (
      <input
        className="in"
        {...ids}
        placeholder={field.example}
        value={formatValue(value)}
        onChange={(event) => set(event.target.value)}
      />
    );
  return <PlaceholderField ids={ids} value={formatValue(value)} example={field.example} onChange={set} />;
}
