import type { Step } from "../../../../contract/graph.ts";
import { useMcpPrompts, useMcpResources, useMcpTools } from "../../../api/mcp-servers.ts";
import type { FormField } from "../../../flow/form-fields.ts";
import { schemaFields } from "../../../flow/schema-fields.ts";
import type { Option } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import { FieldInput, type FieldInputProps } from "./field-input.tsx";

const OFFERED = new Set(["tool", "uri", "prompt", "arguments"]);

/** The stored server of a step, when this field depends on what the server offers. */
export function mcpServerOf(step: Step, field: FormField): string | undefined {
  const server = step["server"];
  if (step.type !== "mcp" || typeof server !== "string" || !OFFERED.has(field.name)) return undefined;
  return server === "" || server.includes("{{") ? undefined : server;
}

interface McpFieldProps extends FieldInputProps {
  step: Step;
  serverId: string;
}

/** A field of an `mcp` step with the choices of its server. The plain field stays when the server does not answer. */
export function McpField(props: McpFieldProps) {
  if (props.field.name === "arguments") return <ArgumentsField {...props} />;
  return <OfferField {...props} />;
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value.includes("{{");
}

function OfferField({ step: _step, serverId, ...props }: McpFieldProps) {
  const { field, value } = props;
  const is = (name: string): string | undefined => (field.name === name ? serverId : undefined);
  const tools = useMcpTools(is("tool"));
  const resources = useMcpResources(is("uri"));
  const prompts = useMcpPrompts(is("prompt"));
  const list = { tool: tools, uri: resources, prompt: prompts }[field.name as "tool"];
  const offers = [
    ...(tools.data ?? []).map(({ name, title, description }) => ({
      value: name,
      label: title ?? name,
      description,
    })),
    ...(resources.data ?? [])
      .filter(({ isTemplate }) => !isTemplate)
      .map(({ uri, name, description }) => ({ value: uri, label: name, description })),
    ...(prompts.data ?? []).map(({ name, description }) => ({ value: name, label: name, description })),
  ];
  const options: Option[] = offers.map(({ value: each, label }) => ({ value: each, label }));
  const chosen = offers.find((offer) => offer.value === value);
  return (
    <>
      <FieldInput
        {...props}
        suggestions={options.length === 0 || isPlaceholder(value) ? undefined : options}
      />
      {chosen !== undefined && chosen.description !== "" && (
        <p className="small muted few-lines">{chosen.description}</p>
      )}
      {list.error !== null && <Failure error={list.error} retry={() => void list.refetch()} />}
    </>
  );
}

/** A form from the schema of the chosen tool, or the arguments of the chosen prompt; else the arguments as JSON. */
function ArgumentsField({ step, serverId, ...props }: McpFieldProps) {
  const isPrompt = step["operation"] === "prompt";
  const tools = useMcpTools(isPrompt ? undefined : serverId);
  const prompts = useMcpPrompts(isPrompt ? serverId : undefined);
  const tool = tools.data?.find(({ name }) => name === step["tool"]);
  const prompt = prompts.data?.find(({ name }) => name === step["prompt"]);
  const fields = isPrompt
    ? schemaFields(promptSchema(prompt?.arguments ?? []))
    : schemaFields(tool?.inputSchema ?? {});
  const { value, onChange } = props;
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  if (fields === undefined || (value !== undefined && !isRecord)) return <FieldInput {...props} />;
  const given = (value ?? {}) as Record<string, unknown>;
  const known = new Set(fields.map(({ name }) => name));
  // An argument that the form does not show would be kept without being seen.
  if (Object.keys(given).some((name) => !known.has(name))) return <FieldInput {...props} />;
  return (
    <fieldset className="record">
      <legend className="setting-name">{props.field.label}</legend>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={given[field.name]}
          error={undefined}
          onChange={(next) => {
            const { [field.name]: _old, ...others } = given;
            const all = next === undefined || next === "" ? others : { ...others, [field.name]: next };
            onChange(Object.keys(all).length === 0 ? undefined : all);
          }}
        />
      ))}
    </fieldset>
  );
}

function promptSchema(args: readonly { name: string; description: string; required: boolean }[]) {
  return {
    properties: Object.fromEntries(
      args.map(({ name, description }) => [name, { type: "string", description }]),
    ),
    required: args.filter(({ required }) => required).map(({ name }) => name),
  };
}
