import { Braces, Play, Repeat, Search, Variable } from "lucide-react";
import { type ReactNode, useState } from "react";
import { fieldsWithoutValue, scopeOptions, shownValue, type ValueSource } from "../../../flow/step-scope.ts";
import { Segments } from "../../../ui/segments.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { StepTile } from "../../canvas/step-tile.tsx";
import { locate, nodeIdOf } from "../../../flow/scopes.ts";
import type { Draft } from "../../../flow/draft.ts";
import { ItemPager } from "./item-pager.tsx";
import type { StepData } from "./use-step-data.ts";
import { childrenOf, matches, ValueGroup, ValueRow } from "./value-tree.tsx";

/** The values that the step can use, one tree for each earlier step, with the values of the last run. */
export function InputPane({ data, draft }: { data: StepData; draft: Draft }) {
  const [search, setSearch] = useState("");
  const [format, setFormat] = useState<"tree" | "json">("tree");
  const { sources } = data.scope;
  const own = sources.filter(({ kind }) => kind === "item" || kind === "step" || kind === "input");
  const variables = sources.filter(({ kind }) => kind === "variables");
  const run = sources.filter(({ kind }) => kind === "run");
  return (
    <div className="input-pane">
      <div className="row">
        <label className="value-search grow">
          <Search size={14} aria-hidden />
          <input
            type="search"
            aria-label="Search values"
            placeholder={`Search ${scopeOptions(data.scope).length} values`}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <Segments
          label="Show input as"
          value={format}
          onChange={setFormat}
          options={[
            { value: "tree", label: "Tree" },
            { value: "json", label: "JSON" },
          ]}
        />
      </div>
      {format === "json" ? (
        <JsonView
          value={Object.fromEntries(
            own.filter(({ hasValue }) => hasValue).map((one) => [one.title, one.value]),
          )}
        />
      ) : (
        <>
          {own.map((source) => (
            <SourceTree key={source.path} source={source} search={search} data={data} draft={draft} />
          ))}
          <FlatGroup
            title="Variables"
            icon={<Variable size={14} aria-hidden />}
            values={variables}
            search={search}
          />
          <FlatGroup title="Run" icon={<Play size={14} aria-hidden />} values={run} search={search} />
          <p className="small muted">
            Drag a value into a field, or type <kbd>@</kbd> in the field.
          </p>
        </>
      )}
    </div>
  );
}

interface SourceTreeProps {
  source: ValueSource;
  search: string;
  data: StepData;
  draft: Draft;
}

function SourceTree({ source, search, data, draft }: SourceTreeProps) {
  const { path, title } = source;
  const known = shownValue(source);
  const value = known?.value;
  const children = childrenOf(path, value);
  const declared = fieldsWithoutValue(source).filter(
    (field) => search === "" || matches({ ...field, value: undefined }, search),
  );
  const shown = search === "" ? children : children.filter((child) => matches(child, search));
  if (
    search !== "" &&
    shown.length + declared.length === 0 &&
    !matches({ path, name: title, value: undefined }, search)
  )
    return null;
  return (
    <ValueGroup
      // A search opens the groups that it found something in.
      key={search === "" ? "all" : "found"}
      title={title}
      icon={<SourceIcon source={source} draft={draft} />}
      aside={
        source.kind === "item" && data.item !== undefined ? (
          <ItemPager item={data.item} />
        ) : (
          source.sample !== undefined && <span className="small muted">Sample</span>
        )
      }
      openByDefault={known !== undefined || declared.length > 0}
    >
      {known !== undefined || declared.length > 0 ? (
        <ul className="plain-list">
          {shown.length > 0 ? (
            shown.map((child) => <ValueRow key={child.path} {...child} depth={0} search={search} />)
          ) : declared.length > 0 ? null : (
            <ValueRow path={path} name={title} value={value} depth={0} search="" />
          )}
          {declared.map((field) => (
            <ValueRow key={field.path} {...field} value={undefined} depth={0} search="" />
          ))}
        </ul>
      ) : (
        <p className="small muted value-none">No value yet. Run the workflow once, or paste sample data.</p>
      )}
    </ValueGroup>
  );
}

function SourceIcon({ source, draft }: { source: ValueSource; draft: Draft }): ReactNode {
  if (source.kind === "item") return <Repeat size={14} aria-hidden />;
  if (source.stepId === undefined) return <Braces size={14} aria-hidden />;
  const step = locate(draft, nodeIdOf(draft, source.stepId) ?? "")?.step;
  return <StepTile type={step?.type ?? ""} app={step?.["app"]} size="small" />;
}

interface FlatGroupProps {
  title: string;
  icon: ReactNode;
  values: readonly ValueSource[];
  search: string;
}

function FlatGroup({ title, icon, values, search }: FlatGroupProps) {
  const rows = values.map((source) => ({ path: source.path, name: source.title, value: source.value }));
  const shown = search === "" ? rows : rows.filter((row) => matches(row, search));
  if (shown.length === 0) return null;
  return (
    <ValueGroup
      key={search === "" ? "all" : "found"}
      title={title}
      icon={icon}
      aside={<span className="small muted">{shown.length}</span>}
      openByDefault={search !== ""}
    >
      <ul className="plain-list">
        {shown.map((row) => (
          <ValueRow key={row.path} {...row} depth={0} search="" />
        ))}
      </ul>
    </ValueGroup>
  );
}
