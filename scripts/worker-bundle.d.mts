export const workerBundle: {
  bundle: true;
  external: string[];
  platform: "node";
  format: "esm";
  target: string;
};
