/**
 * The part of the ONNX file format that is needed to write a graph: protobuf messages encoded by hand. The numbers are
 * the field numbers of onnx.proto.
 */
export const FLOAT = 1;
export const INT8 = 3;
export const INT32 = 6;
export const INT64 = 7;

export type Attribute = number | number[] | { float: number };

export function tensor(
  name: string,
  type: number,
  shape: readonly number[],
  data: NodeJS.TypedArray,
): Buffer {
  return Buffer.concat([
    ...shape.map((size) => integerField(1, size)),
    integerField(2, type),
    bytesField(8, name),
    bytesField(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ]);
}

export interface NodeDescription {
  operator: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, Attribute>>;
  /** Set for the runtime's own operators. */
  domain?: string;
}

export function graphNode({ operator, inputs, output, attributes = {}, domain }: NodeDescription): Buffer {
  return Buffer.concat([
    ...inputs.map((input) => bytesField(1, input)),
    bytesField(2, output),
    bytesField(3, `${operator}_${output}`),
    bytesField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
    ...(domain === undefined ? [] : [bytesField(7, domain)]),
  ]);
}

/** An input or output of the graph. A dimension given as text is dynamic. */
export function valueInfo(name: string, type: number, shape: readonly (number | string)[]): Buffer {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === "number" ? integerField(1, size) : bytesField(2, size)),
  );
  const tensorType = Buffer.concat([integerField(1, type), bytesField(2, Buffer.concat(dimensions))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensorType))]);
}

export interface GraphDescription {
  nodes: readonly Buffer[];
  weights: readonly Buffer[];
  inputs: readonly Buffer[];
  outputs: readonly Buffer[];
  /** Operator sets by domain: "" is ONNX itself. */
  operatorSets: Readonly<Record<string, number>>;
}

export function modelFile({ nodes, weights, inputs, outputs, operatorSets }: GraphDescription): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((node) => bytesField(1, node)),
    bytesField(2, "bert"),
    ...weights.map((weight) => bytesField(5, weight)),
    ...inputs.map((input) => bytesField(11, input)),
    ...outputs.map((output) => bytesField(12, output)),
  ]);
  const sets = Object.entries(operatorSets).map(([domain, version]) =>
    bytesField(8, Buffer.concat([bytesField(1, domain), integerField(2, version)])),
  );
  return Buffer.concat([integerField(1, 8), bytesField(2, "baton"), bytesField(7, graph), ...sets]);
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === "number")
    return Buffer.concat([bytesField(1, name), integerField(3, value), integerField(20, 2)]);
  if (Array.isArray(value))
    return Buffer.concat([
      bytesField(1, name),
      ...value.map((item) => integerField(8, item)),
      integerField(20, 7),
    ]);
  return Buffer.concat([bytesField(1, name), floatField(2, value.float), integerField(20, 1)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function integerField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function bytesField(field: number, value: string | Buffer): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), bytes]);
}
