/**
 * Runs inside the sandbox before any other code. It keeps the functions that read results, because code may replace
 * every global. Whatever code does to these objects, only text leaves the sandbox.
 */
export const PRELUDE = String.raw`(function (log, random) {
  "use strict";
  const { parse, stringify } = JSON;
  const { keys, defineProperty } = Object;
  const text = String;
  const ErrorType = Error;

  function show(value) {
    if (typeof value === "string") return value;
    try {
      if (value instanceof ErrorType) return value.name + ": " + value.message;
      if (typeof value === "function") return "[function " + value.name + "]";
      const json = typeof value === "object" ? stringify(value) : undefined;
      return json === undefined ? text(value) : json;
    } catch {
      return "[a value that cannot be shown]";
    }
  }

  let secretTexts = [];
  /** The service masks secrets in whole texts; it would not find one that a cut divides. */
  function cut(value, max) {
    if (value.length <= max) return value;
    for (const secret of secretTexts) value = value.split(secret).join("[secret]");
    return value.slice(0, max);
  }

  let isFull = false;
  const writer = (level) => (...values) => {
    if (isFull) return void log();
    let line = "";
    for (let at = 0; at < values.length; at++) line += (at > 0 ? " " : "") + show(values[at]);
    isFull = log(level, cut(line, 16384)) !== true;
  };
  const info = writer("info");
  globalThis.console = {
    debug: writer("debug"),
    log: info,
    info,
    warn: writer("warn"),
    error: writer("error"),
    trace: writer("debug"),
    table: info,
    dir: info,
  };

  // The generator of the engine starts anew with each call, with the same numbers.
  Math.random = () => random();

  return {
    define(json) {
      const values = parse(json);
      const { secrets = {} } = values;
      secretTexts = keys(secrets).map((name) => secrets[name]).filter((value) => typeof value === "string" && value !== "");
      for (const key of keys(values))
        defineProperty(globalThis, key, { value: values[key], writable: true, configurable: true, enumerable: true });
    },
    /** The JSON text of a result, or its length when it is too long. */
    finish(value, max) {
      const json = stringify(value);
      if (json === undefined) return "null";
      return json.length > max ? json.length : json;
    },
    /** What is thrown may be any value, with getters that throw. */
    describe(thrown) {
      let name = "", message = "", stack = "";
      try {
        if (typeof thrown === "object" && thrown !== null) {
          name = text(thrown.name ?? "");
          message = text(thrown.message ?? show(thrown));
          stack = text(thrown.stack ?? "");
        } else message = show(thrown);
      } catch {
        message = "It threw a value that cannot be shown";
      }
      return stringify([cut(name, 100), cut(message, 2000), cut(stack, 4000)]);
    },
  };
})`;
