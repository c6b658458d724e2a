import type { HmacOptions } from "../../../../contract/webhooks.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";

interface HmacFieldsProps {
  options: HmacOptions;
  onChange: (options: HmacOptions) => void;
}

/** How a sender without its own scheme signs: header, prefix, algorithm, encoding, time. */
export function HmacFields({ options, onChange }: HmacFieldsProps) {
  const set = (name: keyof HmacOptions, value: string): void => {
    const { [name]: _before, ...rest } = options;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      <TextField
        label="Header"
        mono
        value={options.header ?? ""}
        onChange={(value) => set("header", value)}
        placeholder="x-signature"
      />
      <TextField
        label="Prefix"
        mono
        value={options.prefix ?? ""}
        onChange={(value) => set("prefix", value)}
        placeholder="sha256="
      />
      <SelectField
        label="Algorithm"
        value={options.algorithm ?? ""}
        onChange={(value) => set("algorithm", value)}
        emptyOption="SHA-256"
        options={[
          { value: "sha1", label: "SHA-1" },
          { value: "sha512", label: "SHA-512" },
        ]}
      />
      <SelectField
        label="Encoding"
        value={options.encoding ?? ""}
        onChange={(value) => set("encoding", value)}
        emptyOption="Hexadecimal"
        options={[{ value: "base64", label: "Base64" }]}
      />
      <TextField
        label="Time header"
        mono
        value={options.timestampHeader ?? ""}
        onChange={(value) => set("timestampHeader", value)}
        hint="With a time the signature covers <time>.<body> and is valid for five minutes."
      />
    </>
  );
}
